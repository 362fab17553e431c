/** The id of Parlor: for shortcuts and notifications on Windows, the bundle on macOS. */
export const APP_ID = 'chat.parlor.desktop'
