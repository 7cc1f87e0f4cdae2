import { PRODUCT_API, type EndpointName, type ProductAccess } from '../../src/protocol/product/api.ts';
import { REFUSALS, refusalBody } from '../../src/protocol/product/refusals.ts';
import { productBudget } from '../budgets/table.ts';
import { describedEndpointOf, IMPLIED_CODES } from './declared-refusals.ts';
import { openApiOf, schemaOf, type Json } from '../http/open-api.ts';

const isName = (name: string): name is EndpointName => Object.hasOwn(PRODUCT_API, name);

/** Returns the OpenAPI document of the product, made from the table that its router and the app use. */
export const openApiDocument = (): Json =>
  openApiOf<EndpointName, ProductAccess>({
    title: 'Ringback product API',
    description:
      'Made from src/protocol/product. Times are milliseconds since the epoch; codes of refusals are stable.',
    names: Object.keys(PRODUCT_API).filter(isName),
    endpointOf: describedEndpointOf,
    budgetOf: productBudget,
    refusal: { ...schemaOf(refusalBody, 'output'), description: Object.keys(REFUSALS).join(', ') },
    impliedCodes: IMPLIED_CODES,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    securityOf: (access) => (access === 'anybody' ? [] : [{ bearer: [] }]),
  });
