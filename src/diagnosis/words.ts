/* The entrance to `words/`, the only folder that makes sentences about diagnoses. */
export { changeText, firstChange } from './words/change-text.js';
export {
  causeText,
  diagnosisText,
  headline,
  reasonText,
  symptomText,
  troubleText,
  waitingText,
} from './words/diagnosis-text.js';
export { type EventMeaning, eventMeaning } from './words/event-text.js';
export { faultText, findingText } from './words/fault-text.js';
export { inRow, outlookText, subjectText, whenText } from './words/outlook-text.js';
export { resultWord, runSentence } from './words/run-text.js';
