/** The spans of a server, made with the API of OpenTelemetry. This module is loaded only when traces are on. */
import {
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Answerer, NodeLink, NodeName } from '../../cluster/node-link.ts';
import type { HttpRequest, HttpResponse } from '../../http/request.ts';
import type { ServerInstance } from '../server-instance.ts';
import { CallSpans } from './call-spans.ts';
import { tracedChannel } from './command-spans.ts';
import { routeOf } from './route-of.ts';
import type { Tracing } from './tracing.ts';

const tracer = () => trace.getTracer('ringback');

/** Returns whether an SDK has been registered, so that spans are recorded. The span of the question is never sent. */
export const isRegistered = (): boolean => tracer().startSpan('is an SDK registered').isRecording();

/** The field of a question between nodes that has the context of its trace. */
const FIELD = 'trace';
/** The most characters of a value of this context. */
const MOST_CHARACTERS = 512;

export class OpenTelemetry implements Tracing {
  readonly #end: () => Promise<void>;
  readonly #calls: CallSpans[] = [];

  /** @param end - sends the last spans. */
  constructor(end: () => Promise<void>) {
    this.#end = end;
  }

  http(
    { method, path }: Pick<HttpRequest, 'method' | 'path'>,
    answer: () => HttpResponse | Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const route = routeOf(path);
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = tracer().startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
    return context.with(trace.setSpan(ROOT_CONTEXT, span), async () => {
      try {
        const response = await answer();
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return response;
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  instance(instance: ServerInstance): ServerInstance {
    const calls = new CallSpans(tracer(), instance.exchange);
    this.#calls.push(calls);
    const connect = instance.connect.bind(instance);
    const dispose = instance.dispose.bind(instance);
    return Object.assign(instance, {
      connect: tracedChannel(tracer(), connect),
      async dispose() {
        await dispose();
        calls.dispose();
      },
    });
  }

  link<Of extends NodeLink>(link: Of): Of {
    const ask = link.ask.bind(link);
    const answer = link.answer.bind(link);
    return Object.assign(link, {
      ask(node: NodeName, topic: string, question: unknown) {
        const span = tracer().startSpan(`ask ${topic}`, { kind: SpanKind.CLIENT, attributes: nodeOf(node) });
        const inside = trace.setSpan(context.active(), span);
        return context.with(inside, () => finishing(span, () => ask(node, topic, carrying(inside, question))));
      },
      answer(topic: string, answerer: Answerer) {
        return answer(topic, (question, from) => {
          const outside = propagation.extract(ROOT_CONTEXT, carriedBy(question));
          const options = { kind: SpanKind.SERVER, attributes: nodeOf(from) };
          const span = tracer().startSpan(`answer ${topic}`, options, outside);
          return context.with(trace.setSpan(outside, span), () => finishing(span, () => answerer(question, from)));
        });
      },
    });
  }

  async close(): Promise<void> {
    for (const calls of this.#calls) calls.dispose();
    await this.#end();
  }
}

const nodeOf = (node: NodeName) => ({ 'ringback.node': node });

/** Runs work in a span, which ends with it. */
function finishing<Result>(span: Span, work: () => Result): Result {
  const failed = (error: unknown): never => {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    throw error;
  };
  let result: Result;
  try {
    result = work();
  } catch (error) {
    return failed(error);
  }
  if (result instanceof Promise) {
    result.then(
      () => span.end(),
      () => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    );
  } else span.end();
  return result;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a question with the context of a trace. A node without traces ignores the field. */
function carrying(inside: Context, question: unknown): unknown {
  if (!isFields(question)) return question;
  const carried: Record<string, string> = {};
  propagation.inject(inside, carried);
  return { ...question, [FIELD]: carried };
}

/** Returns the context that a question carries. Empty without one. */
function carriedBy(question: unknown): Readonly<Record<string, string>> {
  const carried = isFields(question) ? question[FIELD] : undefined;
  if (!isFields(carried)) return {};
  return Object.fromEntries(
    Object.entries(carried).flatMap(([name, value]) =>
      typeof value === 'string' && value.length <= MOST_CHARACTERS ? [[name, value] as const] : [],
    ),
  );
}
