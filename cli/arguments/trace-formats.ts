/** The formats of `ringback trace --format`. */
export const TRACE_FORMATS = ['ladder', 'mermaid', 'svg', 'timeline', 'har', 'pcapng'] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];
