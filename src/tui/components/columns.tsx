import { Box } from 'ink';
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

type IndentedProps = PropsWithChildren<{ readonly by: number; readonly rowGap?: number }>;

export const Indented: FC<IndentedProps> = ({ by, rowGap = 0, children }) => (
  <Box flexDirection="column" paddingLeft={by} rowGap={rowGap}>
    <ColumnsProvider value={useColumns() - by}>{children}</ColumnsProvider>
  </Box>
);
