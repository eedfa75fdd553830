/** The files and folders by which a project's root is known when the config names none. */
export const defaultRootMarkers: readonly string[] = [".git"];
