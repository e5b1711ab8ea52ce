import { describe, expect, it } from 'vitest';

import { htmlReport } from '../../../src/report/html/html-report.js';
import { buildReport } from '../../helpers/run-reports.js';

describe('the HTML report', () => {
  const page = htmlReport(buildReport());

  it('has the diagnosis, the marked line and a row with an id for each attempt', () => {
    expect(page).toContain('app killed 1 ×: liveness 1 × HTTP 503');
    expect(page).toContain('<mark><i>7</i>  livenessProbe:</mark>');
    expect(page).toContain('<tr id=app.liveness.1 class=f><td>1<td>1.500<td>0<td>✗ 503<td>12 ms');
  });

  it('loads nothing', () => {
    expect(page).not.toMatch(/\ssrc=|<link|@import|url\(/);
    expect(page).toContain("default-src 'none'");
  });

  it('is the same for the same trace', () => {
    expect(htmlReport(buildReport())).toBe(page);
  });

  it('shows markup of an output as text', () => {
    const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'>\u202e`;
    const shown = htmlReport(buildReport(hostile));
    expect(shown.match(/<script/g)).toHaveLength(1);
    expect(shown).not.toMatch(/<img|\u202e/);
    expect(shown).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});
