/** The requirements that a call must meet for `dial` and `answer` to exit with 0. Pure. */
import * as v from 'valibot';
import type { MediaKind, Wanted } from './arguments/wanted.ts';
import type { CallReport } from './headless/messages.ts';
import { MOSTLY } from './headless/measuring/expectation.ts';

/** One requirement and its result, as `--json` prints it. */
export const requirement = v.object({
  /** The option without its dashes. For `require`, with the kind: `require audio`, `min-mos`, `max-setup`. */
  name: v.string(),
  ok: v.boolean(),
  /**
   * A share of the seconds for `require`, a score for `min-mos`, milliseconds for `max-setup`. Null when not measured.
   */
  value: v.nullable(v.number()),
  bound: v.number(),
  /** The measured value and the required value, in one line. */
  message: v.string(),
});
export type Requirement = v.InferOutput<typeof requirement>;

/** Compares the figures of a call with its requirements. */
export function judge(report: CallReport, { require, minMos, maxSetupMs }: Wanted): Requirement[] {
  return [
    ...require.map((kind) => judgeMedia(report, kind)),
    ...(minMos === undefined ? [] : [judgeMos(report, minMos)]),
    ...(maxSetupMs === undefined ? [] : [judgeSetup(report, maxSetupMs)]),
  ];
}

function judgeMedia({ received, timings, video: isVideo }: CallReport, kind: MediaKind): Requirement {
  const { audio, video } = received;
  const [ok, expectedMs, presentMs] =
    kind === 'audio' ? [audio?.ok, audio?.expectedMs, audio?.heardMs] : [video?.ok, video?.expectedMs, video?.seenMs];
  const share = expectedMs ? Number(((presentMs ?? 0) / expectedMs).toFixed(4)) : null;
  const came = `${kind} arrived for ${tenths(presentMs ?? 0)} of ${tenths(expectedMs ?? 0)} (${((share ?? 0) * 100).toFixed(1)}%)`;
  const bound = `at least ${MOSTLY * 100}% of the time is required`;
  const why = () => {
    if (timings.connected === undefined) return `the call never connected, so no ${kind} arrived`;
    if (kind === 'video' && !isVideo) return 'it was a voice call, so no video arrived';
    if (expectedMs === 0) return `the other side did not have to send ${kind}: it was muted, off or on hold`;
    if (ok === false && share !== null && share >= MOSTLY) return `${came}, but ${damage(received, kind)}`;
    return came;
  };
  return {
    name: `require ${kind}`,
    ok: ok === true,
    value: share,
    bound: MOSTLY,
    message: `--require ${kind}: ${why()}; ${bound}.`,
  };
}

/** Returns the fault of media that arrived all the time. */
function damage({ audio, video }: CallReport['received'], kind: MediaKind): string {
  if (kind === 'audio') return `the tone carried ${audio?.carried ?? 0} of ${audio?.windows ?? 0} windows`;
  return `its marker was read in ${video?.markers ?? 0} of ${video?.frames ?? 0} frames and rose in ${video?.rising ?? 0} of ${video?.steps ?? 0} steps`;
}

function judgeMos({ quality: { mos } }: CallReport, bound: number): Requirement {
  const measured =
    mos === null ? 'no sound was expected, so there is no score' : `the mean opinion score is ${mos.toFixed(1)}`;
  return {
    name: 'min-mos',
    ok: mos !== null && mos >= bound,
    value: mos,
    bound,
    message: `--min-mos ${bound}: ${measured}; at least ${bound} is required.`,
  };
}

function judgeSetup({ timings: { connected } }: CallReport, boundMs: number): Requirement {
  const bound = inSeconds(boundMs);
  const measured =
    connected === undefined ? 'the call never connected' : `the call connected after ${inSeconds(connected)}`;
  return {
    name: 'max-setup',
    ok: connected !== undefined && connected <= boundMs,
    value: connected ?? null,
    bound: boundMs,
    message: `--max-setup ${bound}: ${measured}; at most ${bound} is allowed.`,
  };
}

const tenths = (ms: number): string => `${(ms / 1_000).toFixed(1)}s`;

/** Formats seconds to the millisecond, because tenths would hide a small excess: 3.001s. */
const inSeconds = (ms: number): string => `${Number((ms / 1_000).toFixed(3))}s`;
