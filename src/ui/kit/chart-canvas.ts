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
export function drawBars(host: HTMLElement, bars: Bars): () => void {
  const drawn = stacked(bars);
  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: HEIGHT,
      padding: [8, 4, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, bars.labels.length - 0.5] },
        y: { range: (_, __, most) => [0, Math.max(1, most)] },
      },
      axes: axesOf(host, bars),
      series: [{}, ...drawn.map(({ colour }) => seriesIn(host, colour))],
    },
    [bars.labels.map((_, at) => at), ...drawn.map(({ values }) => values)],
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

/**
 * Returns the series to draw, the highest first. The bars of a series stand on those before it, so each covers the
 * lower part of the one drawn before.
 */
function stacked({ labels, series }: Bars): readonly { readonly colour: string; readonly values: number[] }[] {
  const heights = (upTo: number): number[] =>
    labels.map((_, at) => series.slice(0, upTo + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return series.map(({ colour }, at) => ({ colour, values: heights(at) })).toReversed();
}

/** Returns the axes of the labels and of the values, in the colours and the font of the host. */
function axesOf(host: HTMLElement, { labels, format }: Bars): uPlot.Axis[] {
  const inks = getComputedStyle(host);
  const shared = { stroke: () => inks.color, ticks: { show: false }, font: `12px ${inks.fontFamily}`, space: 44 };
  return [
    {
      ...shared,
      grid: { show: false },
      size: 28,
      incrs: [1, 2, 5, 7, 10, 15, 30, 60, 90],
      values: (_, at) => at.map((place) => labels[place] ?? ''),
    },
    {
      ...shared,
      grid: { stroke: () => inks.borderBottomColor, width: 1 },
      size: LABEL_SPACE,
      values: (_, at) => at.map((value) => format(value)),
    },
  ];
}

/** Returns a series of bars in a colour of the style sheet. */
function seriesIn(host: HTMLElement, colour: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.2 });
  return {
    ...(paths ? { paths } : {}),
    fill: () => resolved(host, colour),
    width: 0,
    points: { show: false },
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
