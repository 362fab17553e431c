import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index.ts'
import {
  ACCOUNT_FILE_BYTES,
  type AccountFileContents,
  type AccountFileLook,
  type AccountFilePart,
  type PartCounts,
} from '#shared/domain/account-file.ts'
import type { AccountEntry } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { isSame } from '#shared/lib/same.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import type { CarryPlan } from '#main/engine/features/export/carried.ts'
import type { Host } from '#main/hosts/host.ts'
import { exportName } from '#main/hosts/rules/pages/openable.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import * as users from '#main/cache/people/users.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import { logger } from '#main/lib/logger.ts'
import {
  carriedSettings,
  type CarriedParts,
  type CarriedSettings,
  mergeSettings,
  type SettingsMerge,
} from '#main/settings/carried-settings.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { CallWindow } from '../windows/windows.ts'
import { type Account, isGuest, sessionOf } from './account.ts'
import {
  type FileContent,
  type FileOwner,
  isSameAccount,
  ownerOf,
  readContent,
  writeContent,
  checkSealed,
  seal,
  unseal,
} from './account-file-content.ts'

export type AccountFileOptions = {
  readonly host: Pick<Host, 'folders' | 'log' | 'ports'>
  readonly store: SettingsStore
  /** All accounts of the profile that are open. */
  readonly accounts: () => readonly Account[]
  /** The accounts of the profile as windows show them. */
  readonly entries: () => readonly AccountEntry[]
  readonly publish: (settings: Settings) => void
}

type Calls = Pick<
  HandlersOf<'data', CallWindow>,
  | 'accountFileContents'
  | 'saveAccountFile'
  | 'openAccountFile'
  | 'lookIntoAccountFile'
  | 'takeAccountFile'
  | 'closeAccountFile'
>

/** How long an opened file is in memory without being used. */
const OPEN_MS = 10 * 60_000
/** Messages that a look into a file shows. */
const SHOWN_SENDS = 5
const SHOWN_LETTERS = 120

type Opened = { readonly id: string; readonly bytes: Buffer; readonly content?: FileContent }

/** Saving and opening account files. At most one file is open at a time. `onSaved` gets its path. */
export function accountFileCalls(options: AccountFileOptions, onSaved: (path: string) => void): Calls {
  const { host, store, publish } = options
  const { clock, ids } = host.ports
  const log = logger('account-file', host.log)
  const opened = createOpened(clock)

  return {
    accountFileContents: (_input, { account }) => contentsOf(signedIn(account), options),
    async saveAccountFile({ passphrase }, { account }) {
      const one = signedIn(account)
      const now = clock.now()
      const owner = await ownerNow(one, options)
      const { carried } = one.engine.carriedAway()
      const settings = settingsOf(one, store)
      const file = await seal(writeContent({ savedAt: now, owner, settings, carried }), passphrase)
      const path = await host.folders?.placeFor(exportName(now, owner.userId, 'parlor'))
      if (path === undefined) return {}
      await writeWhole(path, file, (error) => log.warn('not-saved', { error: codeOf(error) ?? 'unknown' }))
      onSaved(path)
      return {
        saved: { fileName: basename(path), folderName: basename(dirname(path)), messages: carried.messages.length },
      }
    },
    openAccountFile({ id, base64, isLast }) {
      const before = id === undefined ? undefined : opened.get(id)
      const bytes = Buffer.concat([before?.bytes ?? Buffer.alloc(0), Buffer.from(base64, 'base64')])
      try {
        if (bytes.length > ACCOUNT_FILE_BYTES) throw new AppError('account-file/too-large')
        if (isLast) checkSealed(bytes)
      } catch (error) {
        opened.keep(undefined)
        throw error
      }
      const file = { id: id ?? ids.uuid(), bytes }
      opened.keep(file)
      return { id: file.id }
    },
    async lookIntoAccountFile({ id, passphrase }, { account }) {
      const file = opened.get(id)
      const one = signedIn(account)
      const content = passphrase === undefined ? file.content : readContent(await unseal(file.bytes, passphrase))
      if (content === undefined) throw new AppError('account-file/passphrase')
      const read = { ...file, content }
      const { seen } = await look(one, read, options)
      // Another file may have been opened meanwhile.
      if (opened.get(id).bytes === file.bytes) opened.keep(read)
      return seen
    },
    async takeAccountFile({ id, prefersFile }, { account }) {
      const { content, ...file } = opened.get(id)
      if (content === undefined) throw new AppError('account-file/passphrase')
      const one = signedIn(account)
      const { join, seen } = await look(one, { ...file, content }, { ...options, prefersFile })
      if (join === undefined) throw new AppError('account-file/other')
      take(one, join, store)
      opened.keep(undefined)
      publish(store.settings())
      log.info(
        'taken',
        Object.fromEntries(Object.entries(join.parts).map(([part, { added, replaced }]) => [part, added + replaced])),
      )
      return seen
    },
    closeAccountFile({ id }) {
      opened.close(id)
    },
  }
}

/** The file that is open, one at a time. It is forgotten when nobody has used it for a while. */
function createOpened(clock: Pick<Clock, 'after'>) {
  let opened: Opened | undefined
  let forget: Stop = () => undefined
  const keep = (next: Opened | undefined): void => {
    forget()
    opened = next
    if (next) forget = clock.after(OPEN_MS, () => void (opened = undefined))
  }
  return {
    keep,
    get(id: string): Opened {
      if (opened?.id !== id) throw new AppError('account-file/closed')
      return opened
    },
    close(id: string): void {
      if (opened?.id === id) keep(undefined)
    },
  }
}

/** What is in a file, and what would become of it in this account. */
async function look(
  account: Account,
  { id, content }: Required<Opened>,
  options: AccountFileOptions & { readonly prefersFile?: boolean },
): Promise<Look> {
  const { owner, savedAt, invalid } = content
  const shown = await ownerNow(account, options)
  const isShown = isSameAccount(owner, shown)
  const own = isShown ? account : await accountLike(owner, options)
  const join = isShown ? joinOf(account, content, { ...options, prefersFile: options.prefersFile ?? false }) : undefined
  return {
    join,
    seen: {
      id,
      savedAt,
      invalid,
      owner: {
        userName: owner.userName,
        workspaceName: owner.workspaceName,
        key: own?.key,
        isShown,
        shownName: shown.userName,
      },
      parts: join?.parts,
      newerHere: join?.settings.newerHere ?? 0,
      sends: (join?.plan.sends ?? []).slice(0, SHOWN_SENDS).map(({ cid, payload }) => ({
        cid,
        text: (payload.text || (payload.poll?.name ?? '')).slice(0, SHOWN_LETTERS),
      })),
    },
  }
}

/** How a file joins an account. */
type Join = {
  readonly plan: CarryPlan
  readonly settings: SettingsMerge
  readonly parts: Readonly<Record<AccountFilePart, PartCounts>>
}
type Look = { readonly seen: AccountFileLook; readonly join: Join | undefined }

/**
 * Everything or nothing: settings are stored last within the transaction of the outbox, and restored if its commit fails.
 * A crash between the two leaves the settings; opening the file again completes it.
 */
function take({ engine }: Account, { plan, settings: { changes, times } }: Join, store: SettingsStore): void {
  const before = store.chosen()
  const timesBefore = store.times()
  let isStored = false
  try {
    engine.carryIn(plan, () => {
      store.update(changes, times)
      isStored = true
    })
  } catch (error) {
    const names = Object.keys(changes) as (keyof Settings)[]
    if (isStored) store.update(Object.fromEntries(names.map((name) => [name, before[name]])), timesBefore)
    throw error
  }
}

function signedIn(account: CallWindow['account']): Account {
  const known = account()
  if (!known) throw new AppError('session/signed-out')
  if (isGuest(known.ref)) throw new AppError('session/guest')
  return known
}

/** The user's own choices: what a policy of this device requires instead stays here. */
function settingsOf(account: Account, store: SettingsStore): CarriedSettings {
  const chosen = store.chosen()
  const people = users.byIds(account.engine.stores.cache.reader, chosen.notifications.allowed)
  const known = new Set<string>(people.map(({ id }) => id))
  return carriedSettings(chosen, store.times(), { account: settingsKey(account), knows: (id) => known.has(id) })
}

const settingsKey = ({ ref, baseUrl }: Account): string => sidebarKey(sessionOf(ref, baseUrl()))

async function ownerNow(
  { ref, key, workspace }: Account,
  { entries }: Pick<AccountFileOptions, 'entries'>,
): Promise<FileOwner> {
  const entry = entries().find((each) => each.key === key)
  const apiKey = ref.kind === 'hosted' ? ref.apiKey : ((await workspace?.apiKey()) ?? '')
  return ownerOf(ref, {
    apiKey,
    userName: entry?.userName ?? ref.userId,
    workspaceName: entry?.workspaceName ?? '',
  })
}

/** The open account of this profile that a file belongs to. */
async function accountLike(owner: FileOwner, options: AccountFileOptions): Promise<Account | undefined> {
  for (const account of options.accounts()) {
    if (isSameAccount(owner, await ownerNow(account, options)) && !isGuest(account.ref)) return account
  }
  return undefined
}

/** Beside its place first, so that a failure leaves an older file as it is. */
async function writeWhole(path: string, bytes: Uint8Array, onFailure: (error: unknown) => void): Promise<void> {
  const part = `${path}.part`
  try {
    await writeFile(part, bytes, { mode: 0o600, flush: true })
    await rename(part, path)
  } catch (error) {
    onFailure(error)
    await rm(part, { force: true }).catch(onFailure)
    throw new AppError('data/not-written', { cause: error })
  }
}

function contentsOf(account: Account, { store }: Pick<AccountFileOptions, 'store'>): AccountFileContents {
  const { carried, left } = account.engine.carriedAway()
  const { parts } = settingsOf(account, store)
  return {
    left,
    parts: {
      drafts: carried.drafts.length,
      messages: carried.messages.length,
      reminders: carried.reminders.length + carried.done.length,
      searches: parts.savedSearches?.length ?? 0,
      snippets: parts.snippets?.length ?? 0,
      sidebar: parts.sidebar === undefined ? 0 : 1,
      settings: Object.keys(parts).filter((name) => !COUNTED_ALONE.has(name)).length,
      marks: carried.follows.length + carried.reads.length,
    },
  }
}

/** Settings that are a part of their own in the list. */
const COUNTED_ALONE: ReadonlySet<string> = new Set<keyof CarriedParts>(['savedSearches', 'snippets', 'sidebar'])

function joinOf(
  account: Account,
  { carried, settings: theirs }: FileContent,
  { store, host, prefersFile }: Pick<AccountFileOptions, 'store' | 'host'> & { readonly prefersFile: boolean },
): Join {
  const here = store.chosen()
  const key = settingsKey(account)
  const plan = account.engine.planCarryIn(carried)
  const settings = mergeSettings(here, store.times(), theirs, {
    account: key,
    now: host.ports.clock.now(),
    prefersFile,
  })
  const { parts } = theirs
  const others = Object.entries(settings.fates).filter(([name]) => !COUNTED_ALONE.has(name))
  const replaced = others.filter(([, fate]) => fate === 'taken').length
  const sidebar = settings.fates.sidebar
  const had = here.sidebars[key] !== undefined
  return {
    plan,
    settings,
    parts: {
      ...plan.counts,
      searches: listCounts(
        parts.savedSearches ?? [],
        here.savedSearches[key] ?? [],
        (settings.changes.savedSearches ?? here.savedSearches)[key] ?? [],
      ),
      snippets: listCounts(parts.snippets ?? [], here.snippets, settings.changes.snippets ?? here.snippets),
      sidebar: {
        total: sidebar === undefined ? 0 : 1,
        added: sidebar === 'taken' && !had ? 1 : 0,
        replaced: sidebar === 'taken' && had ? 1 : 0,
        kept: sidebar === 'kept' || sidebar === 'same' ? 1 : 0,
        full: 0,
      },
      settings: { total: others.length, added: 0, replaced, kept: others.length - replaced, full: 0 },
    },
  }
}

type Named = { readonly name: string }

/** What becomes of the entries of a list in a file. */
function listCounts(theirs: readonly Named[], before: readonly Named[], after: readonly Named[]): PartCounts {
  const inList = (list: readonly Named[], { name }: Named) => list.find((each) => fold(each.name) === fold(name))
  const taken = theirs.filter((each) => isSame(inList(after, each), each) && !isSame(inList(before, each), each))
  const added = taken.filter((each) => inList(before, each) === undefined).length
  const full = theirs.filter((each) => inList(after, each) === undefined).length
  const kept = theirs.length - taken.length - full
  return { total: theirs.length, added, replaced: taken.length - added, kept, full }
}
