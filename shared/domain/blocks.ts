/** A message's text as a tree. Each kind is rendered by a fixed element; raw HTML has no kind. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'strike'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  /** `:name:`, for which the workspace may have a custom emoji; `text` is the source. */
  | { readonly kind: 'emoji'; readonly name: string; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly host?: string; readonly children: readonly Inline[] }
  /** Rendered as a link if the reader has a channel of this name. */
  | { readonly kind: 'channel'; readonly name: string; readonly text: string }
  /** Without a user: a broadcast mention, as `@channel`. */
  | { readonly kind: 'mention'; readonly userId?: string; readonly text: string }

export type Block =
  | { readonly kind: 'paragraph' | 'heading'; readonly children: readonly Inline[] }
  | { readonly kind: 'codeBlock'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly head: readonly TableCell[]; readonly rows: readonly (readonly TableCell[])[] }
  | { readonly kind: 'rule' }

export type ListItem = { readonly checked?: boolean; readonly children: readonly Block[] }
export type TableCell = { readonly align?: 'start' | 'center' | 'end'; readonly children: readonly Inline[] }
