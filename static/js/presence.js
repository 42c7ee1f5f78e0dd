// Says every now and then that this page is being looked at, and shows who else looks at it.

const EVERY = 20_000;
const place = document.getElementById("presence");

// What a colleague has changed meanwhile comes along. Where the decision form is open, it asks itself.
const here = () => {
  place.dispatchEvent(new CustomEvent("here"));
  if (!document.getElementById("decision-form")) {
    document.getElementById("case-poll")?.dispatchEvent(new CustomEvent("here"));
  }
};
if (place) {
  setInterval(() => document.hidden || here(), EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || here());
  addEventListener("pagehide", () => {
    const form = new FormData();
    form.set("gone", "1");
    form.set("csrfmiddlewaretoken", JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]);
    navigator.sendBeacon(place.getAttribute("hx-post"), form);
  });
}
