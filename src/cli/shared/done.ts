/** A command that has run hands its exit code to this. */
export type Done = (exitCode: number) => void;
