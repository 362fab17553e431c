/** What a deep link may open. A link never changes a setting, never sends, never loads an address. */
export type DeepLink =
  | { readonly route: 'channel'; readonly workspace: string; readonly cid: string }
  | { readonly route: 'message'; readonly workspace: string; readonly cid: string; readonly messageId: string }
  | { readonly route: 'user'; readonly workspace: string; readonly userId: string }
  | { readonly route: 'invite'; readonly workspace: string; readonly code: string }
  /** A page of the settings, by its name. */
  | { readonly route: 'settings'; readonly section: string }
  /** A new message; the user chooses the recipients. */
  | { readonly route: 'new' }
  /** Text to search for. */
  | { readonly route: 'search'; readonly text: string }
