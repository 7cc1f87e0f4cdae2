import { callingEndpointOf, type CallingAccess, type CallingRoute } from '../../../src/protocol/calling-api.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import { ROUTE_BUDGETS } from '../../budgets/calling-budgets.ts';
import { openApiOf, type Json } from '../../http/open-api.ts';
import { CALLING_ROUTES } from './routes.ts';

const header = (name: string): Json => ({ type: 'apiKey', in: 'header', name });
const SESSION = { session: [], client: [] };

/** Returns the OpenAPI document of the calling service, made from the table that its router uses. */
export const callingDocument = (): Json =>
  openApiOf<CallingRoute, CallingAccess>({
    title: 'Ringback calling API',
    description:
      'Made from src/protocol/calling-api.ts. Times are milliseconds, unless a name says otherwise. docs/errors.md has the codes of refusals.',
    names: CALLING_ROUTES,
    endpointOf: callingEndpointOf,
    budgetOf: (name) => ROUTE_BUDGETS[name],
    securitySchemes: {
      session: header(HEADERS.sessionToken),
      client: header(HEADERS.clientId),
      shortLivedToken: header(HEADERS.shortLivedToken),
    },
    securityOf(access) {
      if (access === 'anybody') return [];
      return access === 'visitor' ? [SESSION, { shortLivedToken: [], client: [] }] : [SESSION];
    },
  });
