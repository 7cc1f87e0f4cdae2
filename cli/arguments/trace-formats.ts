/** What `ringback trace` makes of a trace, as `--format` takes it. */
export const TRACE_FORMATS = ['ladder', 'mermaid', 'svg', 'timeline', 'har', 'pcapng'] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];
