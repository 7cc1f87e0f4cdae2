/** Writes the OpenAPI documents from the tables of requests. */
import { callingDocument } from '../../sim/exchange/http/open-api.ts';
import { adminDocument } from '../../sim/server/operations/admin.ts';
import { openApiDocument } from '../../sim/product/open-api.ts';

const textOf = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

export const openApiText = (): string => textOf(openApiDocument());
export const adminOpenApiText = (): string => textOf(adminDocument());
export const callingOpenApiText = (): string => textOf(callingDocument());
