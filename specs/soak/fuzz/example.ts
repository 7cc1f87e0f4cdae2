/** Returns a value of a JSON schema: a beginning for a fuzzer, which need not be valid in every part. */
import type { JsonSchema } from '@valibot/to-json-schema';

export function exampleOf(schema: JsonSchema | boolean, depth = 0): unknown {
  if (typeof schema === 'boolean' || depth > 8) return 'x';
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return exampleOf(choice, depth + 1);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, exampleOf(one, depth + 1)]),
      );
    case 'array':
      return schema.items && !Array.isArray(schema.items) ? [exampleOf(schema.items, depth + 1)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'mei'.padEnd(schema.minLength ?? 3, 'x');
  }
}
