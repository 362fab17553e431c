import type { Destination } from '#shared/domain/changes.ts'
import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { selectAccountOfLink, selectAccounts } from '../accounts.ts'
import { sendCommand } from '../commands.ts'
import { selectSession } from '../selectors.ts'
import type { AppDispatch, AppState } from '../store.ts'
import type { SettingsSection } from './kinds.ts'
import { accountSwitchStarted, addAccountOpened, dialogOpened, placeOpened, routeOpened, searchOpened } from './ui.ts'

/** Opens the target of a clicked notification, a native menu item or a deep link. */
export function openDestination(dispatch: AppDispatch, destination: Destination): void {
  switch (destination.type) {
    case 'command':
      // Native menus use action ids.
      dispatch(sendCommand('runAction', { id: destination.action }))
      break
    case 'link':
      dispatch((run, getState) => followLink(run, getState, destination.link))
      break
    case 'account-file':
      dispatch(dialogOpened({ kind: 'openAccountFile', id: destination.id }))
      break
    case 'focus':
      goTo(dispatch, destination)
      break
    case 'catch-up':
      dispatch(routeOpened({ view: 'catch-up', cid: asCid(destination.cid), since: destination.since }))
      break
    case 'account':
      dispatch((run, getState) => goThrough(run, getState, destination))
      break
  }
}

/** Opens a place of another account, after switching to it. */
function goThrough(
  dispatch: AppDispatch,
  getState: () => AppState,
  { key, place }: Extract<Destination, { type: 'account' }>,
): void {
  if (selectAccounts(getState()).shown !== key) dispatch(accountSwitchStarted({ key, place }))
  else if (place !== undefined) openDestination(dispatch, place)
}

function goTo(
  dispatch: AppDispatch,
  place: { readonly cid: string; readonly messageId?: string; readonly parentId?: string },
): void {
  const cid = asCid(place.cid)
  const parentId = place.parentId === undefined ? undefined : asMessageId(place.parentId)
  const messageId = place.messageId === undefined ? undefined : asMessageId(place.messageId)
  dispatch(placeOpened({ cid, parentId, messageId }))
}

/**
 * A deep link only navigates: here, or to another account of this profile. For a workspace without an account here it never
 * connects: a dialog shows where the link leads.
 */
function followLink(dispatch: AppDispatch, getState: () => AppState, link: DeepLink): void {
  switch (link.route) {
    case 'settings':
      // The settings show their first page for a name that they do not have.
      dispatch(routeOpened({ view: 'settings', section: link.section as SettingsSection }))
      return
    case 'new':
      dispatch(dialogOpened({ kind: 'new-direct' }))
      return
    case 'search':
      dispatch(searchOpened({ text: link.text }))
      return
    case 'join':
      // The invitation is shown, and followed only when the user says so.
      dispatch(addAccountOpened({ invitation: link.text }))
      return
    case 'invite':
      dispatch(dialogOpened({ kind: 'elsewhere', link }))
      return
    case 'channel':
    case 'message':
    case 'user':
      break
  }
  const elsewhere = selectAccountOfLink(getState(), link.workspace)
  if (elsewhere !== undefined) {
    dispatch(accountSwitchStarted({ key: elsewhere.key, place: { type: 'link', link } }))
    return
  }
  const { workspace } = selectSession(getState())
  if (workspace === undefined || linkWorkspace(workspace) !== link.workspace) {
    dispatch(dialogOpened({ kind: 'elsewhere', link }))
  } else if (link.route === 'user') {
    dispatch(dialogOpened({ kind: 'person', userId: asUserId(link.userId) }))
  } else {
    goTo(dispatch, link)
  }
}
