/** An HTTP request as the prober hands it to a transport. */
export interface HttpRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}
