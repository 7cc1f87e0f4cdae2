/** The table of input budgets: a row for each endpoint, each command and each socket. */
import { endpointOf, PRODUCT_API, type EndpointName } from '../../src/protocol/product/api.ts';
import { CALLING_SHARED_BUDGETS, COMMAND_BUDGETS, ROUTE_BUDGETS } from './calling-budgets.ts';
import type { InputBudget } from './input-budget.ts';
import { PRODUCT_BUDGETS, SERVED_BUDGETS, SHARED_BUDGETS } from './product-budgets.ts';
import { SOCKET_BUDGETS } from './socket-budgets.ts';

/** Returns the budget of a request to the product. */
export const productBudget = (name: EndpointName): InputBudget => ({
  ...PRODUCT_BUDGETS[name],
  sender: endpointOf(name).access,
});

/**
 * Returns how many items of a kind the server keeps at most because of a request to the product.
 *
 * @param what - the name of the items in the row.
 * @throws Error when the row has no such items, or no bound for them.
 */
export function mostKept(name: EndpointName, what: string): number {
  const kept = productBudget(name).keeps.find((one) => one.what === what);
  if (!kept || kept.most === null) throw new Error(`The row of ${name} has no bound for ${what}.`);
  return kept.most;
}

const isName = (name: string): name is EndpointName => Object.hasOwn(PRODUCT_API, name);

/** The budgets by part of the server, then by name. */
export const INPUT_BUDGETS: Readonly<Record<string, Readonly<Record<string, InputBudget>>>> = {
  'Connections and sockets': SOCKET_BUDGETS,
  'Requests of the product': Object.fromEntries(
    Object.keys(PRODUCT_API)
      .filter(isName)
      .map((name) => [name, productBudget(name)]),
  ),
  'Other requests': SERVED_BUDGETS,
  'Shared limits of the product': SHARED_BUDGETS,
  'Requests of the calling service': ROUTE_BUDGETS,
  'Commands of the calling service': COMMAND_BUDGETS,
  'Shared limits of the calling service': CALLING_SHARED_BUDGETS,
};
