/** Its client alone: the package's index brings fetch, WebSockets and caches along. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
