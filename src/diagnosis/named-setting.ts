import type { Advice } from './change.js';
import { VARIABLE_NAME } from './rules/surrounding-patterns.js';

/** Returns what to do about a setting that an error names beside what is wrong with it; `file` is where the error places it; `isOfCode` if it has a place in the program. */
export function settingAdvice(error: string, isOfCode: boolean, file?: string): Advice | undefined {
  // Kibana puts a part of a name in brackets: `[xpack.security].enabled`.
  const text = error.replaceAll(/\[([\w.]+)\]\.(\w+)/g, '[$1.$2]');
  if (OF_CODE.test(text)) return undefined;
  const forms = [...FORMS, VARIABLE, ...(isOfCode ? [] : [VALUE])];
  const found = forms.map((form) => [...text.matchAll(form)]).find((each) => each.length > 0) ?? [];
  const named = found.flatMap((match) => match.slice(1).filter(Boolean));
  const names = named.filter((name) => !NO_SETTING.test(name));
  const [name] = names;
  if (name === undefined) return undefined;
  const unset = found.some(([form]) => MISSING.test(form)) && ({ isUnset: true } as const);
  if (/^[A-Z\d]+_[A-Z\d_]+$/.test(name)) return { do: 'setVariable', name, ...unset };
  const distinct = [...new Set(names)].slice(0, 3);
  return { do: 'setting', names: distinct, ...(file && { file }), ...unset };
}

/** A name in quotes, or one of several parts; a value may follow it. */
const QUOTED = String.raw`["'\`“‘[]([A-Za-z][\w.-]*)(?:=[^"'\`\]]*)?["'\`”’\]]`;
const NAME = String.raw`(?:${QUOTED}|\b([A-Za-z][A-Za-z\d]*(?:[._-]+[A-Za-z\d]+)+)\b)`;
/** Words for a setting; a key may also be that of a certificate or an account. */
const SETTING = String.raw`(?:config(?:uration)?|setting|option|property|parameter|variable|directive|keyword|(?<!(?:access|api|invalid|licen[cs]e|private|public|secret|signing) )key)(?:s|\(s\))?(?: (?:key|name|option|property|setting|value)(?:s|\(s\))?)?`;
const BAD = String.raw`(?:bad|duplicate|illegal|invalid|mandatory|missing|obsolete|required|undefined|unexpected|unknown|unrecogni[sz]ed|unsupported)`;
const IS_BAD = String.raw`(?:(?:is|was|are|were) )?(?:not (?:allowed|configured|defined|found|provided|recogni[sz]ed|set|specified|supported|used|valid)|empty|${BAD})\b|(?:must|may|cannot|can't) (?:be|have|not)\b`;

/** Sentences about a setting, the surest first; another name may follow the first one. */
const FORMS = [
  String.raw`\b${BAD}(?: [\w-]+){0,2}? ${SETTING}(?: for)?:? ${NAME}(?:(?:,| and) ${NAME})?`,
  String.raw`\b${SETTING}:? ${NAME},? (?:${IS_BAD})`,
  String.raw`\bno ${SETTING} (?:found |set )?(?:for|named)(?: key)? ${NAME}`,
  String.raw`(?:\bconfig_key(?:\[\d+\])?=|\(key: |\bconfigured |\bvalidation of |\b(?:configured|${BAD}) values? (?:for|of) )${NAME}(?:(?:,| and) ${NAME})?`,
  String.raw`\bno ((?!(?:arg(?:ument)?|command|data|error|file|input|name|value)s?\b)[\w.-]+) (?:is|was|were) (?:configured|provided|set|specified)\b`,
  String.raw`${QUOTED} (?:environment )?variable\b`,
  String.raw`\bhas invalid keys: (\w[\w.-]*)`,
  String.raw`${NAME} (?:is|was|are|were) not (?:configured|set|specified)\b`,
  String.raw`(?:^|: )(\w+) (?:is|was) not configured\b`,
  String.raw`\bthe (\w+) property has not been (?:initiali[sz]ed|set)\b`,
  String.raw`(?:^|,|\bor|\beither|\bmust|\bplease|\bshould|\bneed to) (?:configure|define|provide|set|specify) ${NAME}`,
].map((form) => new RegExp(form, 'gi'));

const VARIABLE = new RegExp(
  String.raw`\b(?:[Bb]ad|[Ii]nsecure|[Ii]nvalid|[Mm]alformed|[Ww]eak|[Ww]rong) ["'\`]?(${VARIABLE_NAME})\b|\b(${VARIABLE_NAME})["'\`]? (?:is|was) (?:invalid|malformed|not valid|too \w+|wrong)\b`,
  'g',
);

/** A setting's value that the program does not know: `unknown driver: x`. */
const VALUE = new RegExp(
  String.raw`\b(?:invalid|unknown|unrecogni[sz]ed|unsupported) (?:\w+ )?(?:backend|codec|dialect|directive|driver|exporter|log level|plugin|policy|processor|provider|receiver|storage(?: type)?)s?:? (?:${NAME}|(\w+)$)`,
  'gi',
);

/** Words of a complaint about a setting that is missing; in all others its value is wrong. */
const MISSING =
  /^no |\b(?:configure|define|mandatory|missing|need to be|not (?:be(?:en)? )?(?:configured|initiali[sz]ed|defined|found|provided|set|specified)|provide|required|specify)\b/i;

/** Errors of a program's code, or of what is sent to it, name their own things. */
const OF_CODE =
  /\b(?:Argument|Attribute|Index|Name|NoMethod|Reference|Syntax|Type)Error\b|\bNullPointerException\b|\bforgotten import\b|\bTS\d{4}\b|\b(?:GraphQL|SQL\w*|SELECT|INSERT|UPDATE|column)\b/;
/** A file, a class, a host or a version. */
const NO_SETTING =
  /\.(?:cfg|class|cnf|conf|crt|csv|db|go|ini|jar|java|js|json|log|pem|php|py|rb|rs|sh|sock|so|sql|toml|ts|txt|xml|ya?ml)$|\.[A-Z]\w*$|\.(?:com|io|internal|local|net|org|svc)$|^v?\d/;
