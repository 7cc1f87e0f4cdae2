/** Draws bars with uPlot. It is loaded with the first chart. */
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';

interface BarSeries {
  readonly key: string;
  readonly title: string;
  /** A colour of the style sheet: `var(--rose)`. */
  readonly colour: string;
  /** One value for each label. */
  readonly values: readonly number[];
}

/** The labels and the values of a bar chart. */
export interface Bars {
  readonly labels: readonly string[];
  readonly series: readonly BarSeries[];
  format(value: number): string;
}

const HEIGHT = 200;
const LABEL_SPACE = 40;

/** Draws stacked bars in the host element, in its colours and as wide as it. Returns the function that removes them. */
export function drawBars(host: HTMLElement, { labels, series, format }: Bars): () => void {
  const inks = getComputedStyle(host);
  const ink = (): string => inks.color;
  const line = (): string => inks.borderBottomColor;
  const xs = labels.map((_, at) => at);
  // The bars of a series stand on those before it. They are drawn from the highest down, and each covers the lower
  // part.
  const stacked = series.map((_, upTo) =>
    labels.map((__, at) => series.slice(0, upTo + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  );
  const drawn = series.map(({ colour }, at) => ({ colour, values: stacked[at] ?? [] })).toReversed();
  const bars = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.2 });
  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: HEIGHT,
      padding: [8, 4, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, xs.length - 0.5] },
        y: { range: (_, __, most) => [0, Math.max(1, most)] },
      },
      axes: [
        {
          stroke: ink,
          grid: { show: false },
          ticks: { show: false },
          font: `12px ${inks.fontFamily}`,
          size: 28,
          space: 44,
          incrs: [1, 2, 5, 7, 10, 15, 30, 60, 90],
          values: (_, at) => at.map((place) => labels[place] ?? ''),
        },
        {
          stroke: ink,
          grid: { stroke: line, width: 1 },
          ticks: { show: false },
          font: `12px ${inks.fontFamily}`,
          size: LABEL_SPACE,
          space: 44,
          values: (_, at) => at.map((value) => format(value)),
        },
      ],
      series: [
        {},
        ...drawn.map(({ colour }) => ({
          ...(bars ? { paths: bars } : {}),
          fill: () => resolved(host, colour),
          width: 0,
          points: { show: false },
        })),
      ],
    },
    [xs, ...drawn.map(({ values }) => values)],
    host,
  );
  const size = new ResizeObserver(() => plot.setSize({ width: Math.max(1, host.clientWidth), height: HEIGHT }));
  size.observe(host);
  const redraw = (): void => plot.redraw(false);
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', redraw);
  return () => {
    size.disconnect();
    theme.disconnect();
    system.removeEventListener('change', redraw);
    plot.destroy();
  };
}

/** Returns the current value of a colour variable, because a canvas does not resolve variables. */
function resolved(host: HTMLElement, colour: string): string {
  const probe = document.createElement('i');
  probe.style.color = colour;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
