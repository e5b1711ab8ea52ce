import { Box } from 'ink';
import type { FC } from 'react';

import { attemptFault } from '../../diagnosis/attempt-fault.js';
import { findingText, inRow, resultWord } from '../../diagnosis/words.js';
import type { AttemptTimings } from '../../kubelet/ports.js';
import { attemptSign, attemptTone, EFFECTS, tookText } from '../../report/view-text.js';
import { counted } from '../../text/count.js';
import { age, formatLatency } from '../../text/duration.js';
import type { Result } from '../../trace/event.js';
import type { AttemptView as Attempt } from '../../trace/summary/probe-view.js';
import { Indented, useColumns } from '../components/columns.js';
import { Field, FIELD_WIDTH, Heading, Item, ItemLine } from '../components/item.js';
import { Scroll } from '../components/scroll.js';
import { Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import { findAttempt, type FoundProbe } from '../store/selection.js';
import type { Snapshot } from '../store/state.js';

export function attemptTitle(snapshot: Snapshot): string {
  const found = findAttempt(snapshot);
  if (found === undefined) return 'attempt';
  const { container, probe, attempt, index } = found;
  const which =
    attempt === undefined ? 'no attempt yet' : `attempt ${index + 1} of ${probe.attempts.length}`;
  return `${container.name}/${probe.type}: ${which}`;
}

export const AttemptView: FC = () => {
  const snapshot = useSnapshot();
  const found = findAttempt(snapshot);
  if (found?.attempt === undefined) return <Text tone="dim">no attempt has ended yet</Text>;
  const { attempt } = found;
  const { error, output, startedAt } = attempt;
  const cause = snapshot.context.hints ? findingText(attemptFault(found, attempt)) : undefined;
  return (
    <Scroll id={`attempt ${startedAt}`}>
      <Field name="result" tone={attemptTone(attempt)} text={resultText(attempt)} />
      <Field name={error === undefined ? 'output' : 'error'} text={(error ?? output).trim()} />
      <Field name="cause" tone="info" text={cause} />
      <Field name="count" text={countText(attempt)} />
      <Field name="led to" text={effectText(found, attempt)} />
      <Field name="when" text={whenText(attempt, snapshot.now)} />
      <Details {...attempt} />
    </Scroll>
  );
};

function resultText(attempt: Attempt): string {
  const { error, result, tries } = attempt;
  const word = resultWord(attempt);
  const more = word === '' || word === result ? '' : ` (${word})`;
  const what = error === undefined ? result : "error, which doesn't count";
  const times = tries > 1 ? `, ${tries} tries` : '';
  return `${attemptSign(attempt)} ${what}${more}${tookText(attempt)}${times}`;
}

function countText({ before, lastResult, resultRun, threshold, error }: Attempt): string {
  const text = (result: Result | undefined, count: number): string =>
    result === undefined || count === 0
      ? 'nothing'
      : inRow(result === 'success' ? 'success' : 'failure', count);
  const was = text(before.lastResult, before.resultRun);
  if (error !== undefined) return `${was}, unchanged`;
  return `${was} → ${text(lastResult, resultRun)}, threshold ${threshold}`;
}

function effectText({ container, probe }: FoundProbe, attempt: Attempt): string {
  const { set, startedAt } = attempt;
  if (set === undefined || set === 'unknown') return 'nothing yet: the threshold is not met';
  const before = probe.attempts.findLast(
    (attempt) => attempt.startedAt < startedAt && attempt.set !== undefined,
  );
  const effect = EFFECTS[probe.type][set];
  if (before?.set === set && before.run === attempt.run) return `nothing new: already ${effect}`;
  const isRestart = set === 'failure' && probe.type !== 'readiness';
  return isRestart ? `${container.name} is killed and restarted` : effect;
}

function whenText({ startedAt, run, trigger, attempt }: Attempt, now: number): string {
  const triggers = { kubelet: ', triggered by the kubelet', user: ', triggered by you' };
  const by = trigger === undefined ? '' : triggers[trigger];
  return `${age(now - startedAt)} ago, at ${startedAt.toFixed(3)} s; attempt ${attempt}, container run ${run}${by}`;
}

const Details: FC<Attempt> = ({ detail, shortened = false }) => {
  if (detail === undefined) {
    const text = shortened
      ? 'kprobe keeps full details of the latest attempts only; ctrl-s saves the trace, which has all.'
      : 'The trace has no details of this attempt.';
    return <Field name="" text={text} tone="dim" marginTop={1} />;
  }
  const { address, via, request, response, body, timings } = detail;
  return (
    <>
      <Field
        name="address"
        text={via === undefined ? address : `${address}, via ${via}`}
        marginTop={1}
      />
      <Timings {...timings} />
      <Part name="request" text={request} />
      <Part name="response" text={response} />
      <Part
        name={`body, ${counted(body?.length ?? 0, 'byte')}`}
        text={new TextDecoder().decode(body)}
      />
    </>
  );
};

const Part: FC<{ readonly name: string; readonly text?: string | undefined }> = ({
  name,
  text = '',
}) => {
  if (text === '') return null;
  const lines = text.replace(/(\r?\n)+$/, '').split(/\r?\n/);
  return (
    <>
      <Heading marginTop={1}>{name}</Heading>
      <Indented by={2}>
        {lines.map((line, index) => (
          <ItemLine key={index} text={line} />
        ))}
      </Indented>
    </>
  );
};

/** Each phase of the exchange, with a bar where it was in the whole. */
const Timings: FC<AttemptTimings> = ({ connect, tls, firstByte, total }) => {
  const room = Math.max(8, Math.min(50, useColumns() - FIELD_WIDTH - 24));
  const scale = total <= 0 ? 0 : room / total;
  const ends = { connect, TLS: tls, 'first byte': firstByte };
  const known = Object.entries(ends).filter(([, to]) => to !== undefined);
  const phases = [...known, [known.length === 0 ? 'all' : 'the rest', total] as const];
  return phases.map(([phase, to = 0], index) => {
    const from = phases[index - 1]?.[1] ?? 0;
    const begin = Math.min(room - 1, Math.floor(from * scale));
    const length = Math.max(1, Math.min(room - begin, Math.round((to - from) * scale)));
    const took = formatLatency(to - from);
    return (
      <Item key={phase} text={`took ${phase} ${took}`}>
        <Box>
          <Box width={FIELD_WIDTH} flexShrink={0}>
            <Text tone="dim">{index === 0 ? 'took' : ''}</Text>
          </Box>
          <Box width={11} flexShrink={0}>
            <Text>{phase}</Text>
          </Box>
          <Box width={8} flexShrink={0} justifyContent="flex-end">
            <Text>{took}</Text>
          </Box>
          <Box marginLeft={2 + begin}>
            <Text tone="info">{'█'.repeat(length)}</Text>
          </Box>
        </Box>
      </Item>
    );
  });
};
