import type { FC } from 'react';

import type { Size } from '../store/state.js';

/** `columns` and `rows` are what header and footer leave. */
export type View = FC<Size>;
