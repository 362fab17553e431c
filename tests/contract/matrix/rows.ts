import type { Call } from '../in-process.ts'
import { ADMIN_ROWS } from './rows-admin.ts'
import { CHANNEL_ROWS } from './rows-channels.ts'
import { MESSAGE_ROWS } from './rows-messages.ts'
import { PEOPLE_ROWS } from './rows-people.ts'

/**
 * One line of the matrix: an operation (and after a colon, about what), ten marks, the call, and what a response must
 * show for it to count as allowed. Without that last part a call that writes must have changed something.
 *
 * The marks stand for anonymous (let in by the administrator), guest, stranger (a user of the app who is not in the
 * channel), member, channel moderator, channel creator, app moderator, admin, banned, shadow banned:
 *
 *   .  allowed, and it really happened
 *   -  accepted, with nothing shown and nothing changed: the user's own lists, and batches that skip the object
 *   7  code 17, not allowed      6  code 16, as if it were not there
 *   0  code 70, the filter could match unreadable channels      F  code 19, the feature is off
 */
export type Row = readonly [name: string, marks: string, call: Call | ((who: string) => Call), shows?: string]

export const ROWS: readonly Row[] = [...CHANNEL_ROWS, ...MESSAGE_ROWS, ...PEOPLE_ROWS, ...ADMIN_ROWS]
