import { endpointOf, type EndpointName, type ProductAccess } from '../../src/protocol/product/api.ts';
import type { Endpoint } from '../../src/protocol/endpoint.ts';
import { HANDLER_REFUSALS } from '../../src/protocol/product/handler-refusals.ts';
import { REFUSALS, type RefusalCode } from '../../src/protocol/product/refusals.ts';
import { productBudget } from '../budgets/table.ts';
import { impliedStatuses, type ImpliedStatus } from '../http/open-api.ts';

/** The codes of the refusals that the table of requests implies, by their status. The edge refuses with 413 and 415. */
export const IMPLIED_CODES: Readonly<Partial<Record<ImpliedStatus, RefusalCode>>> = {
  400: 'invalid',
  401: 'signed_out',
  403: 'not_yours',
  429: 'too_many',
};

/** Returns the endpoint with the refusals of its handler, by their status. */
export function describedEndpointOf(name: EndpointName): Endpoint<ProductAccess, RefusalCode> {
  const codes = HANDLER_REFUSALS[name];
  const statuses = [...new Set(codes.map((code) => REFUSALS[code]))];
  const errors = Object.fromEntries(
    statuses.map((status) => [status, codes.filter((code) => REFUSALS[code] === status)]),
  );
  return { ...endpointOf(name), errors };
}

/** Returns the codes that the row of a request implies: of wrong values, its access and its rate limits. */
export const impliedCodes = (name: EndpointName): readonly RefusalCode[] =>
  impliedStatuses(endpointOf(name), productBudget(name)).flatMap((status) => IMPLIED_CODES[status] ?? []);

/** Returns whether a handler may refuse a request with this code. */
export const isDeclared = (name: EndpointName, code: RefusalCode): boolean =>
  HANDLER_REFUSALS[name].includes(code) || impliedCodes(name).includes(code);
