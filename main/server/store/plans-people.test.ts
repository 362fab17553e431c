import { afterAll, expect, test } from 'vitest'
import { campaignList, segmentList, targetList } from '../query/campaigns.ts'
import { cursorSql } from '../query/cursor.ts'
import { banSql, flagSql, namedList, reviewList } from '../query/moderation.ts'
import { MESSAGES_OF } from '../rules/user-messages.ts'
import { openStore } from './open.ts'
import { EXPIRED_BANS, FUTURE_BANS } from './tables/bans.ts'
import { PENDING } from './tables/campaigns.ts'
import { GROUP_PAGE, GROUP_SEARCH } from './tables/groups.ts'
import { PAIR_CHANNELS } from './tables/people.ts'
import { SETTINGS } from './tables/settings.ts'

const db = openStore(':memory:')
afterAll(() => db.close())

const page = { filter: {}, sort: [], limit: 10, offset: 0 }

const QUERIES: readonly [name: string, sql: string, index: RegExp][] = [
  ['bans, newest first', banSql({ ...page, times: [] }).sql, /INDEX bans_by_time/],
  ['bans of a channel', banSql({ ...page, filter: { channel_cid: 'a:b' }, times: [] }).sql, /INDEX bans_/],
  ['bans of a person', banSql({ ...page, filter: { user_id: 'ann' }, times: [] }).sql, /PRIMARY KEY|INDEX bans_/],
  ['ended bans', EXPIRED_BANS, /INDEX bans_expiring/],
  ['bans ahead', FUTURE_BANS, /INDEX future_bans_by_time/],
  ['flags, newest first', flagSql(page).sql, /INDEX flags_by_time/],
  ['the review queue', cursorSql(reviewList({}), {}).sql, /INDEX review_items_by_time/],
  ['configurations', cursorSql(namedList('moderation_config', {}), {}).sql, /SEARCH s USING PRIMARY KEY/],
  ['settings by name', SETTINGS, /SEARCH settings USING PRIMARY KEY/],
  ['groups', GROUP_PAGE, /INDEX user_groups_by_time/],
  ['groups by name', GROUP_SEARCH, /INDEX user_groups_by_name/],
  ['segments', cursorSql(segmentList({}), {}).sql, /INDEX segments_by_time/],
  ['segment targets', cursorSql(targetList('s', {}), {}).sql, /SEARCH t USING PRIMARY KEY/],
  ['campaigns', cursorSql(campaignList({}), {}).sql, /INDEX campaigns_by_time/],
  ['waiting targets', PENDING, /INDEX campaign_targets_pending/],
  ['conversations of two', PAIR_CHANNELS, /SEARCH [ab] USING .*INDEX members_of_user/],
  ['messages of a person', MESSAGES_OF, /INDEX messages_of_author/],
]

test.each(QUERIES)('%s are found by an index', (_name, sql, index) => {
  const parameters = Array.from({ length: sql.split('?').length - 1 }, () => 1)
  const plan = db.explain(sql, ...parameters).join('\n')
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(/SCAN (?:messages|members|m|bans|b|flags|f)(?: (?!USING)|$)/)
})
