/** What the systems know Parlor by: Windows its shortcuts and notifications, macOS its bundle. Source: ruling 1. */
export const APP_ID = 'chat.parlor.desktop'
