import type { Rolldown } from 'tsdown';

export declare const patchedInk: Rolldown.Plugin;
