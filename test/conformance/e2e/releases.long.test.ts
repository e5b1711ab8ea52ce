import { KUBERNETES_RELEASES } from '../../../src/kubelet/release.js';
import { testSimulated } from './simulated.js';

testSimulated(KUBERNETES_RELEASES.filter((release) => release !== '1.36'));
