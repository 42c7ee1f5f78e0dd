// The page where a link of an applicant leads. The key stands behind the "#", which no server sees: it
// is taken out of the address, and sent in a body.

const form = document.getElementById("open-link");

const send = () => {
  const key = location.hash.slice(1);
  if (key) {
    form.elements.link.value = key;
    history.replaceState(null, "", location.pathname);
  }
  if (key || "send" in form.dataset) form.requestSubmit();
};

// A link that is opened in a tab that shows this page already loads nothing.
addEventListener("hashchange", send);
send();
