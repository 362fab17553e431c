import { actionList, OLD_ACTIONS, OLD_BANS, TOO_MANY_ACTIONS } from '../moderation/log/log-table.ts'
import { afterAll, expect, test } from 'vitest'
import { checkPlans, planOf } from '#kit/plans.ts'
import { EXPIRED_PINS } from './upkeep.ts'
import {
  campaignList,
  segmentList,
  targetList,
  PENDING as PENDING_TARGETS,
  SENT_IN,
} from '../campaigns/campaign-tables.ts'
import { UNFINISHED, REMOVALS } from '../campaigns/campaigns.ts'
import { foundSql, listedSql, CHANNELS_AFTER, LISTED_AFTER, USERS_AFTER } from '../campaigns/segments.ts'
import { channelSql } from '../channels/find-channels.ts'
import {
  draftList,
  historyList,
  pollList,
  reactionList,
  reminderList,
  voteList,
  cursorSql,
  type CursorList,
} from './query/lists.ts'
import { banSql, endedBanSql, flagSql, namedList, reviewList } from '../moderation/moderation-lists.ts'
import { FLAG_COUNTS, MESSAGE_COUNTS, MUTE_COUNT } from '../moderation/moderation-v2.ts'
import { ADMINS_OF, MODERATORS_OF, WAITING } from '../moderation/flags.ts'
import { matchingPeople, memberSql, userSql } from '../users/find-people.ts'
import { searchList } from '../search/search.ts'
import { threadList } from '../threads/thread-routes.ts'
import { pinnedSql } from '../messages/pin-routes.ts'
import { MESSAGES_OF } from '../messages/removal.ts'
import { openStore } from './open.ts'
import { EXPIRED_BANS, FUTURE_BANS } from '../moderation/restriction-tables.ts'
import { THREAD_DRAFTS } from '../drafts/draft-table.ts'
import { EMOJI_LIST, EMOJI_OF_UPLOAD } from '../emoji/emoji.ts'
import { EVENTS_SINCE } from './event-table.ts'
import { TAKE_ENDED, LIVE_OF_CHANNEL, LIVE_OF_USER } from '../locations/location-table.ts'
import { MEMBER_PAGE, READ_PAGES, TOTALS, UNHIDE } from '../channels/member-table.ts'
import { EXCEPTIONS, NEWEST_PAGES, pageSql, PENDING, PINNED, type Step } from '../messages/message-table.ts'
import { THREAD_TOTALS, FIRST_REPLY, LAST_REPLY, PARTICIPATIONS } from '../threads/thread-table.ts'
import { BLOCKERS, PAIR_CHANNELS, GROUP_PAGE, GROUP_SEARCH } from '../users/user-tables.ts'
import { RARE } from '../channels/channel-state.ts'
import { DUE_POLLS } from '../polls/poll-tables.ts'
import { REACTION_PAGE } from '../messages/reaction-table.ts'
import { TAKE_DUE } from '../reminders/reminder-table.ts'
import { SETTINGS } from '../admin/settings.ts'

const db = openStore(':memory:')
afterAll(() => db.close())

const ann = { userId: 'ann', role: 'user', banned: false, server: false, expiresAtMs: undefined }
const page = { filter: {}, sort: [], limit: 10, offset: 0 }
const by = (field: string, direction: 1 | -1) => ({ ...page, sort: [{ field, direction }] })

type Row = {
  readonly name: string
  readonly sql: string
  /** A step of the plan that must be there. */
  readonly index: RegExp
  /** Read in the order of the index: nothing is sorted, so a page costs its own rows only. */
  readonly ordered: boolean
}
const ordered = (name: string, sql: string, index: RegExp): Row => ({ name, sql, index, ordered: true })
/** Sorted after reading: few rows by nature, or an order no index can have. */
const sorted = (name: string, sql: string, index: RegExp): Row => ({ name, sql, index, ordered: false })

/** A list with cursors: its first page, and the pages behind and before a place. */
function pages(name: string, list: CursorList<unknown>, index: RegExp, isOrdered = true): Row[] {
  const make = isOrdered ? ordered : sorted
  return [
    make(`${name}: first page`, cursorSql(list, {}).sql, index),
    make(`${name}: next page`, cursorSql(list, { next: placeIn(list, false) }).sql, index),
    make(`${name}: page before`, cursorSql(list, { prev: placeIn(list, true) }).sql, index),
  ]
}

function placeIn(list: CursorList<unknown>, back: boolean): string {
  const { name, sql } = cursorSql(list, {})
  const columns = topLevelParts(sql.split('json_array(')[1]?.split(') AS place')[0] ?? '')
  return Buffer.from(JSON.stringify({ v: 1, sort: name, at: columns.map(() => 1), back })).toString('base64url')
}

/** Parts between commas that stand in no bracket. */
function topLevelParts(text: string): string[] {
  let depth = 0
  const parts = ['']
  for (const sign of text) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
}

const STEPS: readonly Step[] = ['newest', 'before', 'upTo', 'after', 'from']
const PINS = ['newest', 'oldest', 'before', 'upTo', 'after', 'from'] as const
const search = (request: { expression?: string; cids?: string[]; filter?: Record<string, unknown> }) =>
  searchList({ viewer: 'ann', expression: undefined, cids: [], filter: {}, ...request })

const CHANNELS: readonly Row[] = [
  sorted(
    'own channels',
    channelSql(ann, { ...page, filter: { members: { $in: ['ann'] } } }).sql,
    /SEARCH me USING .*INDEX members_of_user /,
  ),
  sorted(
    'own channels by cid',
    channelSql(ann, { ...page, filter: { members: { $in: ['ann'] }, cid: { $in: ['a:b'] } } }).sql,
    /SEARCH (c|me) USING/,
  ),
  ordered('open channels', channelSql(ann, page).sql, /USING .*INDEX channels_by_activity/),
  sorted('hidden memberships', UNHIDE, /SEARCH members USING INDEX members_hidden /),
  sorted('unread totals', TOTALS, /INDEX members_(unread|of_user) /),
  sorted('events since', EVENTS_SINCE, /INDEX events_of_channel /),
  sorted('who blocks someone', BLOCKERS, /INDEX user_blocks_of_target /),
  sorted('conversations of two', PAIR_CHANNELS, /SEARCH [ab] USING .*INDEX members_of_user/),
]

const PEOPLE: readonly Row[] = [
  ordered('members page', MEMBER_PAGE, /INDEX members_by_time /),
  ordered('members, oldest first', memberSql('a:b', page).sql, /SEARCH m USING INDEX members_by_time /),
  ordered('members, newest first', memberSql('a:b', by('created_at', -1)).sql, /INDEX members_by_time /),
  ordered('members by id', memberSql('a:b', by('user_id', 1)).sql, /SEARCH m USING PRIMARY KEY/),
  ordered(
    'members by name',
    memberSql('a:b', { ...page, filter: { name: { $autocomplete: 'an' } } }).sql,
    /SEARCH m USING (?:INDEX members_by_time |PRIMARY KEY)/,
  ),
  // the table itself is in the order of its ids
  ordered('users by id', userSql({ ...page, deactivated: false }).sql, /^SCAN u$/m),
  ordered('users by name', userSql({ ...by('name', 1), deactivated: false }).sql, /INDEX users_by_name/),
  ordered('users by age', userSql({ ...by('created_at', -1), deactivated: false }).sql, /INDEX users_by_creation/),
  ordered(
    'users by activity',
    userSql({ ...by('last_active', -1), deactivated: false }).sql,
    /INDEX users_by_activity/,
  ),
  ordered('groups', GROUP_PAGE, /INDEX user_groups_by_time/),
  ordered('groups by name', GROUP_SEARCH, /INDEX user_groups_by_name/),
  // the table itself is in the order of its names
  ordered('emoji', EMOJI_LIST, /^SCAN e$/m),
  ordered('the emoji of a file', EMOJI_OF_UPLOAD, /INDEX custom_emoji_by_upload/),
]

/** A page beside a place begins or ends there in the index: nothing before it is walked over. */
const within = (step: Step, index: string): RegExp =>
  new RegExp(step === 'newest' ? `INDEX ${index} ` : `INDEX ${index} \\([^)]*\\(created_at,id\\)`)

const MESSAGES: readonly Row[] = [
  ...STEPS.map((step) => ordered(`channel page: ${step}`, pageSql('channel', step), within(step, 'messages_page'))),
  ...STEPS.map((step) => ordered(`replies page: ${step}`, pageSql('replies', step), within(step, 'messages_replies'))),
  ...PINS.map((step) => ordered(`pins: ${step}`, pinnedSql(step), /INDEX messages_pinned /)),
  ordered('pins of a channel', PINNED, /INDEX messages_pinned /),
  sorted('own pending messages', PENDING, /INDEX messages_pending /),
  sorted(
    'rare things of a channel',
    RARE,
    /INDEX messages_pinned [^]*INDEX messages_pending [^]*INDEX locations_of_channel [^]*drafts USING [^]*push_preferences USING [^]*channel_mutes USING /,
  ),
  sorted('newest pages of channels', NEWEST_PAGES, /SEARCH messages USING INDEX messages_page /),
  sorted('read states of channels', READ_PAGES, /SEARCH m USING .*INDEX members_by_time /),
  sorted('for whom messages differ', EXCEPTIONS, /reactions USING [^]*hidden_messages USING [^]*reminders_of_message /),
  ordered('reactions page', REACTION_PAGE, /INDEX reactions_by_time /),
  ...pages('reactions', reactionList('m', {}), /INDEX reactions_by_time /),
  ...pages('history of a message', historyList({ message_id: 'm' }), /INDEX message_history_by_time /),
  ...pages('history', historyList({}), /INDEX message_history_newest/),
  ...pages('actions', actionList({}), /INDEX actions_by_time/),
  ...pages('actions of a person', actionList({ user_id: 'ann' }), /INDEX actions_of_person /),
  ...pages('actions about a person', actionList({ target_user_id: 'ann' }), /INDEX actions_about_person /),
  ...pages('polls', pollList('ann', false, {}), /INDEX polls_by_time/),
  ...pages('votes', voteList('p', undefined, {}), /INDEX poll_votes_by_time /),
  ...pages('drafts', draftList('ann', {}), /SEARCH d USING .*INDEX drafts_by_time /),
  sorted('drafts of threads', THREAD_DRAFTS, /SEARCH drafts USING /),
  ...pages('reminders', reminderList('ann', {}), /SEARCH r USING .*INDEX reminders_by_time /),
  sorted('messages of a person', MESSAGES_OF, /INDEX messages_of_author/),
]

const THREADS: readonly Row[] = [
  ...pages('threads', threadList('ann', {}), /SEARCH p USING .*INDEX thread_participants_of_user /, false),
  sorted('unread threads', THREAD_TOTALS, /thread_participants_of_user .*\n[^]*INDEX messages_replies /),
  ordered('first reply', FIRST_REPLY, /INDEX messages_replies /),
  ordered('last reply', LAST_REPLY, /INDEX messages_replies /),
  sorted('participants of a thread', PARTICIPATIONS, /SEARCH p USING PRIMARY KEY/),
]

const SEARCHES: readonly Row[] = [
  ...pages('search by words', search({ expression: '"a"' }), /SCAN w VIRTUAL TABLE INDEX/),
  ...pages('search without words', search({}), /SEARCH m USING INDEX messages_of_channel /, false),
  ...pages('search in one channel', search({ cids: ['a:b'] }), /SEARCH m USING INDEX messages_of_channel /),
  ...pages(
    'files of one channel',
    search({ cids: ['a:b'], filter: { 'attachments.type': { $in: ['image'] } } }),
    /SEARCH m USING INDEX messages_with_attachments /,
  ),
]

const CHANGED = [{ field: 'updated_at', direction: -1 }] as const

const MODERATION: readonly Row[] = [
  ordered('bans, newest first', banSql({ ...page, times: [] }).sql, /INDEX bans_by_time/),
  ordered('bans of a channel', banSql({ ...page, filter: { channel_cid: 'a:b' }, times: [] }).sql, /INDEX bans_/),
  ordered('ended bans, the latest first', endedBanSql(page).sql, /INDEX ended_bans_by_time/),
  ordered('ended bans of a channel', endedBanSql({ ...page, filter: { channel_cid: 'a:b' } }).sql, /INDEX ended_bans_/),
  ordered(
    'ended bans of a person',
    endedBanSql({ ...page, filter: { user_id: 'ann' } }).sql,
    /INDEX ended_bans_of_person/,
  ),
  sorted('bans of a person', banSql({ ...page, filter: { user_id: 'ann' }, times: [] }).sql, /PRIMARY KEY|INDEX bans_/),
  sorted('bans ahead', FUTURE_BANS, /INDEX future_bans_by_time/),
  ordered('flags', flagSql(page).sql, /INDEX flags_by_time/),
  ordered('flags of one reporter', flagSql({ ...page, filter: { user_id: 'ann' } }).sql, /INDEX flags_of_user/),
  ...pages('review queue', reviewList({}), /INDEX review_items_by_time/),
  ...pages('items that wait', reviewList({ reviewed: false }), /INDEX review_items_by_status/),
  ...pages(
    'items that wait, filtered',
    reviewList({ reviewed: false, reason: 'spam', reporter_id: 'ann' }),
    /INDEX review_items_by_status/,
  ),
  ...pages(
    'decided items',
    { ...reviewList({ reviewed: true }), defaultSort: CHANGED },
    /INDEX review_items_by_change/,
  ),
  ...pages('items of a channel', reviewList({ channel_cid: 'a:b' }), /INDEX review_items_of_channel/),
  ...pages('items about a person', reviewList({ entity_creator_id: 'ann' }), /INDEX review_items_of_creator/),
  sorted('how many items wait', WAITING, /INDEX review_items_by_(?:status|change)/),
  sorted('moderators among the connected', MODERATORS_OF, /SEARCH users USING/),
  sorted('administrators among the connected', ADMINS_OF, /SEARCH users USING/),
  ordered('old actions', OLD_ACTIONS, /INDEX actions_by_time/),
  ordered('old bans', OLD_BANS, /INDEX ended_bans_by_time/),
  ordered('too many actions', TOO_MANY_ACTIONS, /SEARCH actions USING INTEGER PRIMARY KEY/),
  sorted('messages of an author', MESSAGE_COUNTS, /INDEX messages_of_author/),
  sorted('flags about an author', FLAG_COUNTS, /INDEX review_items_of_creator/),
  sorted('mutes of an author', MUTE_COUNT, /INDEX user_mutes_of_target/),
  ...pages('configurations', namedList('moderation_config', {}), /SEARCH s USING PRIMARY KEY/),
  ordered('settings by name', SETTINGS, /SEARCH settings USING PRIMARY KEY/),
]

const someone = matchingPeople({ name: { $autocomplete: 'a' } })
const range = { ...page, sort: [{ field: 'id', direction: 1 }], between: ['a', 'b'] } as const

const CAMPAIGNS: readonly Row[] = [
  ...pages('campaigns', campaignList({}), /INDEX campaigns_by_time/),
  ...pages('segments', segmentList({}), /INDEX segments_by_time/),
  ...pages('segment targets', targetList('s', {}), /SEARCH t USING PRIMARY KEY/),
  sorted('waiting targets', PENDING_TARGETS, /INDEX campaign_targets_pending/),
  sorted('sent into a channel', SENT_IN, /INDEX campaign_targets_sent/),
  sorted('campaigns that are gathered', UNFINISHED, /INDEX campaigns_gathering/),
  sorted('campaigns that are removed', REMOVALS.campaigns.begun, /INDEX campaigns_removed/),
  sorted('segments that are removed', REMOVALS.segments.begun, /INDEX segments_removed/),
  sorted(
    'people of a campaign to remove',
    REMOVALS.campaigns.slice,
    /SEARCH campaign_targets USING (COVERING INDEX|PRIMARY KEY)/,
  ),
  sorted('a list of a segment to remove', REMOVALS.segments.slice, /SEARCH segment_targets USING PRIMARY KEY/),
  sorted('a range of everyone', USERS_AFTER, /SEARCH users USING PRIMARY KEY/),
  sorted('a range of all channels', CHANNELS_AFTER, /SEARCH channels USING PRIMARY KEY/),
  sorted('a range of a list', LISTED_AFTER, /SEARCH segment_targets USING PRIMARY KEY/),
  sorted('who matches in a range', foundSql([someone]).sql, /SEARCH u USING PRIMARY KEY/),
  sorted('who of a list does not match', listedSql(someone).sql, /SEARCH t USING PRIMARY KEY/),
  sorted(
    'a range of those who match',
    userSql({ ...range, deactivated: false }, 'u.id').sql,
    /SEARCH u USING PRIMARY KEY/,
  ),
]

const ENDINGS: readonly Row[] = [
  sorted('expired pins', EXPIRED_PINS, /INDEX messages_pin_ends /),
  sorted('ended bans', EXPIRED_BANS, /INDEX bans_expiring/),
  sorted('polls whose time has come', DUE_POLLS, /INDEX polls_that_close /),
  sorted('due reminders', TAKE_DUE, /INDEX reminders_due /),
  sorted('ended locations', TAKE_ENDED, /INDEX locations_live /),
  sorted('own live locations', LIVE_OF_USER, /INDEX locations_of_user /),
  sorted('live locations of a channel', LIVE_OF_CHANNEL, /INDEX locations_of_channel /),
]

/** Tables that grow with the talk: reading one whole is a fault, whatever the order. */
const GROWING = /^SCAN (?:m|messages|members|r|reactions|events|c|p|d|h|v|b|f|l|drafts|bans|flags|review_items)$/m

test.each([...CHANNELS, ...PEOPLE, ...MESSAGES, ...THREADS, ...SEARCHES, ...MODERATION, ...CAMPAIGNS, ...ENDINGS])(
  '$name: found by an index',
  ({ sql, index, ordered: inOrder }) => {
    const plan = planOf(db.raw, sql).join('\n')
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(GROWING)
    expect(inOrder && plan.includes('TEMP B-TREE')).toBe(false)
  },
)

test('a commit waits for the disk', () => {
  expect(Number(db.pragma('synchronous'))).toBe(2)
})

/** Full scans: intended, and never for a message, an event or a page. */
const SCANS: Readonly<Record<string, string>> = {
  'command-line/commands.ts countOf': 'the command that undoes an import says how many messages it took out',
  'channels/channel-table.ts deleteChannelRow': 'a channel is deleted for good: drafts and mutes of everyone in it',
  'emoji/emoji.ts EMOJI_LIST': 'the emoji of the workspace, 500 at most',
  'emoji/emoji.ts SHOWN': 'the beginning of the queries beside it',
  'emoji/emoji.ts emojiState': 'the emoji of the workspace, 500 at most',
  'imports/survey.ts channelsHere': 'a file is checked before an import: every channel, once',
  'imports/survey.ts whoIsHere': 'a file is checked before an import: everyone, once',
  'imports/undo.ts REMOVE': 'an import is undone: the groups of a person whom it added',
  'integrations/integration-table.ts LIST': 'the programs of a workspace, 200 at most in use',
  'integrations/integration-table.ts workingIntegrations': 'the programs of a workspace, cached',
  'integrations/integration-table.ts DUE': 'the programs of a workspace, when one is due',
  'integrations/integration-table.ts hurry': 'the programs of a workspace, at the start',
  'messages/removal.ts MESSAGES_OF': 'a person is deleted: their messages by an index, channel by channel',
  'messages/removal.ts removeReactionsOf': 'a person is deleted',
  'messages/words.ts INDEXED': 'the beginning of the queries beside it',
  'moderation/restriction-tables.ts FUTURE_BANS': 'a page in the order of an index; few rows',
  'moderation/restriction-tables.ts futureBansOf': 'bans of people who are not here yet: few rows',
  'sharing/joining.ts namesIn': 'somebody waits to be let in: their name is compared with every other, in any script',
  'sharing/joining.ts openRooms': 'somebody was let in: every channel, once for each person',
  'store/backup.ts withoutSecrets': 'the copy of a backup: the programs of a workspace',
  'store/export.ts KINDS': 'an export reads everything',
  'store/open.ts hasMeta': 'the tables of the file, at the start',
  'store/salvage.ts copyReadable': 'a salvage reads everything',
  'store/salvage.ts openOld': 'the tables of the file',
  'store/salvage.ts tablesOf': 'the tables of the file',
  'uploads/upload-files.ts allUploadIds': 'a backup, and the daily search for files without a row',
  'uploads/upload-files.ts allUploadBytes':
    'a scheduled backup, and an upload (30 a minute) to a server with a limit for all: an index with the sizes in it',
  'users/user-change.ts everythingOf': 'the export of everything of one person',
  'users/user-change.ts deleteRow': 'a person is deleted for good: the groups they were in',
  'users/user-change.ts removeUser': 'a person is deleted, and their channels get another owner',
  'users/user-tables.ts countUsers': 'the first start, and the overview of the administrator',
}

/** Sorts of few rows. */
const SORTS: Readonly<Record<string, string>> = {
  'imports/survey.ts hereToChoose': 'a file is checked before an import: people and channels by name',
  'integrations/integration-table.ts LIST': 'the programs of a workspace, 200 at most in use',
  'channels/member-table.ts TOTALS': 'the unread channels of the people in the question, whose totals are not known',
  'messages/message-table.ts PENDING': 'the pending messages of one person in one channel',
  'messages/message-table.ts threadAuthors': 'the authors of one thread, by their first reply',
  'messages/reaction-table.ts reactionsOf': 'the reactions to one page of messages',
  'moderation/restriction-tables.ts channelMutesOf': 'the channels that one person muted',
  'moderation/restriction-tables.ts userMutesOf': 'the people whom one person muted',
  'polls/poll-tables.ts optionsOf': 'the options of one poll',
  'reminders/reminder-table.ts takeMissed': 'the missed reminders of one person',
  'users/user-tables.ts FIRST_ADMIN': 'the administrators, once for a command',
  'store/event-table.ts EVENTS_SINCE': 'missed events of several channels, each found by an index, 2,000 at most',
  'store/export.ts KINDS': 'an export reads everything',
  'threads/thread-table.ts PARTICIPATIONS': 'the participants of one thread',
  'users/user-tables.ts blocksOf': 'the people whom one person blocked',
  'users/user-tables.ts devicesOf': 'the devices of one person',
  'users/user-change.ts everythingOf': 'the export of everything of one person',
}

const BY_CALL = 'checked above, as the function returns it'
const BY_KEY = 'writes one row by its key'
const ARCHIVE = 'the tables of a backup file, each read and written once'
const SALVAGE = 'names of tables are only known at run time; a salvage reads everything'
const COMPOSED: Readonly<Record<string, string>> = {
  'campaigns/segments.ts foundSql': BY_CALL,
  'campaigns/segments.ts listedSql': BY_CALL,
  'channels/channel-table.ts changeChannel': BY_KEY,
  'channels/find-channels.ts FROM': BY_CALL,
  'channels/find-channels.ts FROM_OWN': BY_CALL,
  'channels/find-channels.ts channelSql': BY_CALL,
  'channels/member-table.ts changeMember': BY_KEY,
  'integrations/integration-table.ts changeIntegration': BY_KEY,
  'messages/message-table.ts changeMessage': BY_KEY,
  'moderation/moderation-lists.ts banSql': BY_CALL,
  'moderation/moderation-lists.ts endedBanSql': BY_CALL,
  'moderation/moderation-lists.ts flagSql': BY_CALL,
  'search/search.ts searchedChannels': BY_CALL,
  'store/backup.ts readOne': ARCHIVE,
  'store/backup.ts withoutSecrets': ARCHIVE,
  'store/backup.ts readArchive': ARCHIVE,
  'store/backup.ts writeArchive': ARCHIVE,
  'store/query/lists.ts cursorSql': BY_CALL,
  'store/salvage.ts copyTable': SALVAGE,
  'store/salvage.ts dropOrphans': SALVAGE,
  'users/find-people.ts memberSql': BY_CALL,
  'users/find-people.ts userSql': BY_CALL,
}

checkPlans({
  room: 'main/server/',
  databases: () => [db.raw],
  scans: SCANS,
  sorts: SORTS,
  composed: COMPOSED,
})
