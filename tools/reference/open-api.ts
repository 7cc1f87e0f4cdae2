/** Writes docs/openapi.json from the table of the product's requests. */
import { openApiDocument } from '../../sim/product/open-api.ts';

export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
