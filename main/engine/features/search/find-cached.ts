import { AppError } from '#shared/lib/app-error.ts'
import * as docs from '#main/cache/search/docs.ts'
import type { SearchAnswer, SearchRequest } from '#main/cache/search/query.ts'
import type { Core } from '../../core.ts'

/**
 * Searches the cache. A damaged index is rebuilt from the messages; until then results would be wrong: throws
 * `search/unavailable`.
 */
export async function findCached(
  core: Pick<Core, 'log' | 'search' | 'write'>,
  request: SearchRequest,
): Promise<SearchAnswer> {
  try {
    return await core.search.search(request)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'search/damaged') throw error
    core.log('search').warn('rebuild')
    core.write(docs.rebuild)
    throw new AppError('search/unavailable')
  }
}
