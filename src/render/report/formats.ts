import type { Report } from './report.js';

/** How a report may be written; `text` is for people. */
export type ReportFormat = 'text' | 'json' | 'github' | 'sarif' | 'junit';

/** The report in a format; only that one's renderer is loaded. */
export async function renderReport(report: Report, format: ReportFormat): Promise<string> {
  switch (format) {
    case 'text':
      return (await import('./text.js')).textReport(report);
    case 'json':
      return (await import('./json.js')).jsonReport(report);
    case 'github':
      return (await import('./github.js')).githubReport(report);
    case 'sarif':
      return (await import('./sarif.js')).sarifReport(report);
    case 'junit':
      return (await import('./junit.js')).junitReport(report);
  }
}
