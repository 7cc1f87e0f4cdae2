import { useEffect, useEffectEvent, useRef } from 'react';
import type { Bars } from './chart-canvas.ts';
import styles from './chart.module.css';
import { Disclosure } from './disclosure.tsx';
import { type Column, Table } from './table.tsx';

interface ChartProps extends Bars {
  /** The title of the chart, for screen readers and as the name of its table. */
  title: string;
  /** The name of the labels. */
  axis: string;
  /** The title of the disclosure that holds the table. */
  tableTitle: string;
}

/** Shows bars, stacked when there are several series. Also shows the same figures as a table. */
export function Chart(props: ChartProps) {
  const { title, axis, tableTitle, labels, series, format } = props;
  const host = useRef<HTMLDivElement>(null);
  const formatted = useEffectEvent(format);
  // The parent passes new lists at each render. The chart is drawn again only when their content changes.
  const shown = JSON.stringify({ title, axis, labels, series } satisfies Omit<ChartProps, 'format' | 'tableTitle'>);
  useEffect(() => {
    let undo: (() => void) | undefined;
    let isGone = false;
    // When the chart does not load, the table still shows the figures.
    void import('./chart-canvas.ts').then(
      ({ drawBars }) => {
        if (isGone || host.current === null) return;
        const chart = JSON.parse(shown) as Omit<ChartProps, 'format' | 'tableTitle'>;
        undo = drawBars(host.current, { ...chart, format: (value) => formatted(value) });
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      undo?.();
    };
  }, [shown]);

  const rows = labels.map((label, at) => ({ label, values: series.map(({ values }) => values[at] ?? 0) }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { key: 'label', title: axis, cell: ({ label }) => label },
    ...series.map(({ key, title: name }, at) => ({
      key,
      title: name,
      isFigure: true,
      cell: ({ values }: (typeof rows)[number]) => format(values[at] ?? 0),
    })),
  ];
  return (
    <figure className={styles.chart} aria-label={title}>
      <div ref={host} className={styles.canvas} aria-hidden="true" />
      {series.length > 1 && (
        <ul className={styles.legend} aria-hidden="true">
          {series.map(({ key, title: name, colour }) => (
            <li key={key}>
              <i style={{ background: colour }} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <Disclosure title={tableTitle}>
        <Table caption={title} columns={columns} rows={rows} keyOf={({ label }) => label} />
      </Disclosure>
    </figure>
  );
}
