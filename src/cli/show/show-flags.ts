export const OUTPUTS = ['lines', 'json', 'yaml'] as const;
export type Output = (typeof OUTPUTS)[number];

export const COLORS = ['auto', 'always', 'never'] as const;

/** How a run is to be shown. */
export interface ShowFlags {
  readonly output?: Output;
  readonly plain?: boolean;
  readonly color?: (typeof COLORS)[number];
  readonly hints?: boolean;
  readonly verbose?: boolean;
  readonly logs?: boolean;
}
