/** Names shared by the preload and the Electron host. Two channels, and one argument with the `HostInfo` as JSON. */

/** `invoke(CALL_CHANNEL, name, input)` resolves with a `Reply`. */
export const CALL_CHANNEL = 'parlor:call'
/** Main sends every `Push` here. */
export const PUSH_CHANNEL = 'parlor:push'
export const HOST_ARGUMENT = '--parlor-host='

/** Calls that the host itself handles: the window buttons, where the page draws them. */
export const WINDOW_CONTROLS = ['window.minimize', 'window.toggleMaximize', 'window.close'] as const
export type WindowControl = (typeof WINDOW_CONTROLS)[number]
