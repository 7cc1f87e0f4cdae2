import { context, type Span, type Tracer } from '@opentelemetry/api';
import type { ExchangeEvent } from '../../exchange/events.ts';
import type { Exchange } from '../../exchange/exchange.ts';

/** A span for each call of an exchange, from its dial to its end. It begins within the span of the command that dials. */
export class CallSpans {
  readonly #tracer: Tracer;
  readonly #open = new Map<string, Span>();
  readonly #stop: () => void;

  constructor(tracer: Tracer, exchange: Pick<Exchange, 'subscribe'>) {
    this.#tracer = tracer;
    this.#stop = exchange.subscribe((event) => this.#on(event));
  }

  /** Ends every span: the calls go on elsewhere, or end with the exchange. */
  dispose(): void {
    this.#stop();
    for (const callId of [...this.#open.keys()]) this.#end(callId, 'stopped');
  }

  #on(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'presence':
      case 'refused':
      case 'invited':
      case 'not_dialled':
        return;
      case 'ringing':
      case 'adopted':
        return this.#begin(event.callId, event.isVideoCall, event.kind);
      case 'let_go':
        return this.#end(event.callId, 'let_go');
      case 'ended':
        return this.#end(event.callId, event.record.endResult);
      default:
        this.#open.get(event.callId)?.addEvent(event.kind);
    }
  }

  #begin(callId: string, isVideo: boolean, how: string): void {
    const attributes = { 'ringback.call_id': callId, 'ringback.video': isVideo, 'ringback.began': how };
    this.#open.set(callId, this.#tracer.startSpan('call', { attributes }, context.active()));
  }

  #end(callId: string, result: string): void {
    const span = this.#open.get(callId);
    this.#open.delete(callId);
    span?.setAttribute('ringback.result', result);
    span?.end();
  }
}
