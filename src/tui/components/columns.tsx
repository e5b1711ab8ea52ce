import { Box, type BoxProps } from 'ink';
import { createContext, type FC, type PropsWithChildren, useContext } from 'react';

import { useSnapshot } from '../hooks/use-store.js';

const Columns = createContext<number | undefined>(undefined);

/** Sets the number of columns for the components within it. */
export const ColumnsProvider = Columns.Provider;

/** Returns the columns that a component has. */
export function useColumns(): number {
  const { size } = useSnapshot();
  return useContext(Columns) ?? size.columns;
}

type Gaps = Pick<BoxProps, 'marginTop' | 'rowGap'>;
type IndentedProps = PropsWithChildren<Gaps & { readonly by: number }>;

export const Indented: FC<IndentedProps> = ({ by, children, ...gaps }) => (
  <Box flexDirection="column" paddingLeft={by} {...gaps}>
    <ColumnsProvider value={useColumns() - by}>{children}</ColumnsProvider>
  </Box>
);
