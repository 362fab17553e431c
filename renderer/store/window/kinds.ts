import type { Cid, MessageId } from '#shared/lib/brand.ts'

/**
 * What a window can show and do. Features declare their kinds by extending these interfaces (`declare module`), so that the
 * compiler checks the properties of a dialog, view or panel where it is opened, and no list of all kinds is written by hand.
 * Declared here: what the store itself navigates between.
 */

/** For kinds without properties. */
export type NoProps = object

/** The views of the main sheet, by the properties of each. */
export interface Routes {
  /** No channel is open. */
  home: NoProps
  channel: { readonly cid: Cid }
  /** One thread in the main sheet. */
  thread: { readonly cid: Cid; readonly parentId: MessageId }
  /** The query is in `UiState.search`, so that typing does not change the route. */
  search: NoProps
  /** `row`: the name of a setting on the page, scrolled into view and highlighted. */
  settings: { readonly section: SettingsSection; readonly row?: string }
  /** `id`: what the page opens with, such as a person. `list`: how its list was when a link on the page was followed. */
  manage: { readonly page: ManageSection; readonly id?: string; readonly list?: ManagedList }
}

/** Views that replace the sidebar by their own pages. */
export const ownsSidebar = (view: keyof Routes): boolean => view === 'settings' || view === 'manage'

/** The panels beside the main sheet. */
export interface Panels {
  thread: { readonly cid: Cid; readonly parentId: MessageId }
  /** The other half: a channel beside the one in the main sheet. */
  channel: { readonly cid: Cid }
}

export interface Dialogs {}

/** What can be done by key or by name. */
export interface Actions {}

export interface SettingsPages {}

/** The pages of administration, and how each remembers its list; `void`: it does not. */
export interface ManagePages {}

export type ManagedList = Exclude<ManagePages[keyof ManagePages], void>

/** The view in the main sheet. */
export type Route = { readonly [View in keyof Routes]: { readonly view: View } & Routes[View] }[keyof Routes]

/** One panel at a time; opening another replaces it. */
export type Panel = { readonly [Kind in keyof Panels]: { readonly kind: Kind } & Panels[Kind] }[keyof Panels]

export type Dialog = { readonly [Kind in keyof Dialogs]: { readonly kind: Kind } & Dialogs[Kind] }[keyof Dialogs]

export type ActionId = keyof Actions
export type SettingsSection = keyof SettingsPages
export type ManageSection = keyof ManagePages
