/** What the systems know Parlor by: Windows its shortcuts and notifications, macOS its bundle. */
export const APP_ID = 'chat.parlor.desktop'
