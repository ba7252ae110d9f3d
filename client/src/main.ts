/** One bundle, two modes: a page whose data lies in it, or a studio that talks to a server. */
const page = document.getElementById("motionloom");
document.title = page === null ? "motionloom studio" : "motionloom";
