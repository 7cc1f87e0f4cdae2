/**
 * A mutant that keeps a test file from loading has been found. Stryker counts failed tests alone, so here a file that does
 * not load has one.
 */
import { test, TestRunner } from 'vitest';

export default class LoadingTestRunner extends TestRunner {
  override async importFile(...[path, source]: Parameters<TestRunner['importFile']>): Promise<unknown> {
    try {
      return await super.importFile(path, source);
    } catch (error) {
      if (source !== 'collect') throw error;
      return test('the file loads', () => {
        throw error;
      });
    }
  }
}
