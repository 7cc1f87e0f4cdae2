import type { FetchPort, FetchRequest } from '../../../src/calls/platform/fetch.ts';
import { check, checkEqual, rejection, within, type ContractSuite, type Pass } from './contract.ts';

export interface FetchSubject {
  readonly fetch: FetchPort;
  readonly pass: Pass;
  /**
   * A server. `/echo` answers 200 with JSON `{ method, body, header }`, body as text and `header` the value of
   * `x-contract`; `/teapot` answers 418 with the text `teapot`; `/moved` redirects to `/echo`; `/silent` never answers.
   */
  readonly origin: string;
  /** An origin without a server. */
  readonly deadOrigin: string;
}

const request = (more: Partial<FetchRequest> = {}): FetchRequest => ({
  method: 'GET',
  headers: {},
  signal: new AbortController().signal,
  ...more,
});

export const fetchContract: ContractSuite<FetchSubject> = [
  {
    title: 'method, headers and body reach the server, and its answer arrives as text',
    run: async ({ fetch, pass, origin }) => {
      const asked = request({
        method: 'POST',
        headers: { 'x-contract': 'kept', 'content-type': 'application/json' },
        body: '{"a":"語"}',
      });
      const answer = await within(pass, fetch(`${origin}/echo`, asked), 'an answer comes');
      checkEqual([answer.status, answer.redirected], [200, false], 'status and redirect');
      const text = await within(pass, answer.text(), 'its text comes');
      checkEqual(
        JSON.parse(text),
        { method: 'POST', body: '{"a":"語"}', header: 'kept' },
        'the request that the server received',
      );
    },
  },
  {
    title: 'an error status resolves as an answer',
    run: async ({ fetch, pass, origin }) => {
      const answer = await within(pass, fetch(`${origin}/teapot`, request()), 'an answer comes');
      checkEqual([answer.status, await answer.text()], [418, 'teapot'], 'status and text');
    },
  },
  {
    title: 'a redirect is visible to the caller',
    run: async ({ fetch, pass, origin }) => {
      const answer = await within(pass, fetch(`${origin}/moved`, request()), 'an answer comes');
      check(answer.redirected || (answer.status >= 300 && answer.status <= 399), 'the redirect can be seen');
    },
  },
  {
    title: 'an aborted request rejects at once',
    run: async ({ fetch, pass, origin }) => {
      const abort = new AbortController();
      const asked = fetch(`${origin}/silent`, request({ signal: abort.signal }));
      asked.catch(() => undefined);
      await pass(50);
      abort.abort();
      await rejection(within(pass, asked, 'it settles', 1_000), 'an aborted request');
    },
  },
  {
    title: 'a request without a server rejects',
    run: async ({ fetch, pass, deadOrigin }) => {
      await rejection(within(pass, fetch(`${deadOrigin}/echo`, request()), 'it settles'), 'a request without a server');
    },
  },
];
