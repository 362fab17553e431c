import type { ImportSource, ImportState } from '../domain/imports.ts'
import { endpoint, type None } from './endpoint.ts'

/** Import of history: an extension of our own local server, unknown to the contract. Source: ADR 48. */

export type ImportAction =
  | { readonly action: 'state' }
  /** Reads a file or folder of this device, and changes nothing. */
  | { readonly action: 'check'; readonly source: ImportSource; readonly path: string; readonly name: string }
  | {
      readonly action: 'start'
      /** Joins the channels that have nobody else who is here. */
      readonly owner: string
      /** `new`, `former` or the id of a user, by the id of the export; the rest as checked. */
      readonly people: Readonly<Record<string, string>>
      /** `new`, `skip` or a cid. */
      readonly channels: Readonly<Record<string, string>>
    }
  | { readonly action: 'pause' }
  | { readonly action: 'continue' }
  /** Ends it: what was imported stays. Ends reading, too. */
  | { readonly action: 'stop' }
  /** Removes what the last import has added. */
  | { readonly action: 'undo' }
  /** Forgets a check, a refusal or a report that was read. */
  | { readonly action: 'close' }

/** On loopback only, with a server token. */
export const changeImport = endpoint('POST', '/imports', 'Imports')<
  None,
  ImportAction,
  { readonly import: ImportState }
>()
