/**
 * The lint rule `clock/passed-in`: time and randomness are passed in, so that a test or a simulation sets them. A
 * computation with a given date is permitted. It is plain JavaScript because oxlint loads plugins in Node 20 too.
 */

const MESSAGE = 'Take the clock and the random numbers that are passed in.';

/** The calls of timers. A function that cancels a timer is useless without one of them. */
const TIMERS = new Set(['setTimeout', 'setInterval']);

/** The methods that read the host's clock or its randomness. */
const READS = new Set(['Date.now', 'performance.now', 'Math.random']);

/** The names of the global object. */
const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'self', 'global']);

/** Returns the name of a global that an expression refers to, without the name of the global object. */
function globalName(node) {
  if (node.type === 'Identifier') return node.name;
  const isGlobal = node.type === 'MemberExpression' && GLOBAL_OBJECTS.has(node.object.name);
  return isGlobal ? node.property.name : undefined;
}

const passedIn = {
  create(context) {
    const report = (node) => context.report({ node, message: MESSAGE });
    return {
      CallExpression({ callee }) {
        if (TIMERS.has(globalName(callee))) report(callee);
      },
      MemberExpression(node) {
        if (READS.has(`${globalName(node.object)}.${node.property.name}`)) report(node);
      },
      NewExpression(node) {
        if (globalName(node.callee) === 'Date' && node.arguments.length === 0) report(node);
      },
    };
  },
};

export default { meta: { name: 'clock' }, rules: { 'passed-in': passedIn } };
