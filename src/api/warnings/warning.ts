/** Something that the API server takes, but speaks up about. */
export interface ApiWarning {
  /** The path that the server names first; empty where it names none. */
  readonly field: string;
  readonly message: string;
}

/** The warning as the server sends it. */
export function warningText({ field, message }: ApiWarning): string {
  return field === '' ? message : `${field}: ${message}`;
}
