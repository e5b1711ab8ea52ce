import { certificate } from '../test/helpers/servers/certificate.js';

/** The certificate of the servers that bench/soak.mjs plays; bundled by bench/bundle.mjs. */
export const testCertificate = certificate('selfSigned');
