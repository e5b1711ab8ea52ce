import { expect, test } from 'vitest';

import { asInternal } from '../../../src/api/schema/encode.js';

test("a value of the server's own type has Go's names, all fields and all digits", () => {
  const options = { gmsaCredentialSpecName: 'spec', runAsUserName: 'me' };
  const context = {
    seLinuxOptions: { level: 's0' },
    windowsOptions: options,
    runAsUser: 2n ** 63n - 1n,
  };
  expect(asInternal(context, 'SecurityContext').json).toBe(
    '{"Capabilities":null,"Privileged":null,"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"s0"},' +
      '"WindowsOptions":{"GMSACredentialSpecName":"spec","GMSACredentialSpec":null,"RunAsUserName":"me","HostProcess":null},' +
      '"RunAsUser":9223372036854775807,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,' +
      '"AllowPrivilegeEscalation":null,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}',
  );
});
