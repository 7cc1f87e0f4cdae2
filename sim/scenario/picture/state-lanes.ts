import type { TraceEvent } from '../trace/trace.ts';
import { escaped } from './svg.ts';

const WIDTH = 960;
const LEFT = 110;
const LANE = 34;
const BAR = 22;
/** A state that lasts shorter than this is too narrow for its name, pixels a character. */
const CHARACTER = 6.6;

interface Segment {
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

/** The states of every call and connection over time, a lane each: an SVG of its own. */
export function stateLanesOf(trace: readonly TraceEvent[], title: string): string {
  const end = Math.max(1, trace.at(-1)?.at ?? 1);
  const lanes = lanesOf(trace, end);
  const height = lanes.length * LANE + 34;
  const x = (at: number) => LEFT + (at / end) * (WIDTH - LEFT - 10);
  const faults = trace.flatMap((event) => (event.kind === 'fault' && event.on ? [event] : []));
  const bars = lanes.flatMap(({ name, segments }, index) => [
    `<text class="name" x="${LEFT - 10}" y="${index * LANE + 26}">${escaped(name)}</text>`,
    ...segments.map(({ state, from, to }) => {
      const width = Math.max(1, x(to) - x(from));
      const label =
        width > state.length * CHARACTER
          ? `<text x="${x(from) + 5}" y="${index * LANE + 26}">${escaped(state)}</text>`
          : '';
      return `<g><title>${escaped(`${name}: ${state}, ${seconds(from)} to ${seconds(to)}`)}</title><rect class="${kindOf(state)}" x="${x(from)}" y="${index * LANE + 10}" width="${width}" height="${BAR}" rx="3"/>${label}</g>`;
    }),
  ]);
  const marks = faults.map(
    ({ at, what }) =>
      `<g><title>${escaped(`${seconds(at)} ${what}`)}</title><path class="mark" d="M${x(at)} 4v${lanes.length * LANE}"/></g>`,
  );
  return `<svg class="lanes" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}"><title>${escaped(title)}</title>${bars.join('')}${marks.join('')}<text class="axis" x="${LEFT}" y="${height - 8}">0 s</text><text class="axis end" x="${WIDTH - 10}" y="${height - 8}">${seconds(end)}</text></svg>`;
}

function lanesOf(trace: readonly TraceEvent[], end: number): { name: string; segments: Segment[] }[] {
  const lanes = new Map<string, { state: string; at: number }[]>();
  for (const event of trace) {
    if (event.kind !== 'state') continue;
    const name = event.machine === 'call' ? event.device : `${event.device} peer`;
    lanes.set(name, [...(lanes.get(name) ?? []), { state: event.to, at: event.at }]);
  }
  return [...lanes].map(([name, moves]) => ({
    name,
    segments: moves.map(({ state, at }, index) => ({ state, from: at, to: moves[index + 1]?.at ?? end })),
  }));
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(3)} s`;

/** What a state is to a person: on its way, good, in trouble, or over. */
function kindOf(state: string): string {
  if (state === 'connected') return 'good';
  if (/^(reconnecting|iceRestart)/.test(state)) return 'trouble';
  return /^(closing|ending|ended|aborted|canceled|closed)$/.test(state) ? 'over' : 'way';
}
